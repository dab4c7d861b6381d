/** One round without a model: the plan by code, its searches, the best sentences. */
import type { LibraryIndex } from '../search/library-index.ts';
import type { Answer } from './answer/answer.types.ts';
import { composeAnswer } from './answer/compose.ts';
import { quotesAsSentences } from './answer/quotes-writer.ts';
import { assess } from './evidence/assess.ts';
import { Ledger } from './evidence/ledger.ts';
import { retrieveDocs, weightIn, type RetrieveOptions } from './evidence/retrieve.ts';
import { planByCode } from './question/plan-by-code.ts';

export function answerWithoutModel(
  index: LibraryIndex,
  question: string,
  { k = 15, allows }: RetrieveOptions = {},
): Answer {
  const plan = planByCode(question, { k, weigh: weightIn(index) });
  const ledger = new Ledger();
  for (const { name, input } of plan.requested_tools) {
    const query = String(input['query']);
    ledger.add(retrieveDocs(index, query, { k, ...(allows === undefined ? {} : { allows }) }), { query, tool: name });
  }
  const assessment = assess(plan.subquestions, ledger.evidence);
  return composeAnswer({ assessment, evidence: ledger.evidence, sentences: quotesAsSentences(assessment) });
}
