import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import type { Cancel } from '#core/ports.ts';
import { answerWithoutModel } from '#lanes/library/core/ask/answer-without-model.ts';
import { currentLibrary } from './current-library.ts';

const QuestionSchema = v.object({ id: v.string(), question: v.string() });

export interface QuestionsFlags {
  questions: string;
  library: string;
  out: string;
  k: number;
  data: string;
  cancel: Cancel;
}

/**
 * `ask --questions`: one question a line, one answer a line, without a model. The library is brought up to date first.
 * Throws AccessionError `invalid` with the line.
 */
export async function askQuestions(flags: QuestionsFlags): Promise<Record<string, number>> {
  const rows = await readJsonLines(flags.questions, QuestionSchema);
  const index = await currentLibrary(flags);
  const counts: Record<string, number> = { answered: 0, partial: 0, abstained: 0 };
  const answers = rows.map(({ id, question }) => {
    const answer = answerWithoutModel(index, question, { k: flags.k });
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    return `${JSON.stringify({ id, ...answer })}\n`;
  });
  await writeFile(flags.out, answers.join(''));
  return counts;
}
