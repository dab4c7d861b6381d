/** One round without a model: the plan by code, its searches, the best sentences. */
import type { LibraryIndex } from '../search/library-index.ts';
import type { Answer } from './answer/answer.types.ts';
import { composeAnswer } from './answer/compose.ts';
import { quotesAsSentences } from './answer/quotes-writer.ts';
import { assess, type Assessment } from './evidence/assess.ts';
import type { Evidence } from './evidence/evidence.types.ts';
import { Ledger } from './evidence/ledger.ts';
import { retrieveDocs, weightIn, type RetrieveOptions } from './evidence/retrieve.ts';
import { planByCode } from './question/plan-by-code.ts';

export function answerWithoutModel(index: LibraryIndex, question: string, options: RetrieveOptions = {}): Answer {
  const { assessment, evidence } = assessWithoutModel(index, question, options);
  return composeAnswer({ assessment, evidence, sentences: quotesAsSentences(assessment) });
}

/** What was found, and whether it suffices. */
export function assessWithoutModel(
  index: LibraryIndex,
  question: string,
  { k = 15, allows }: RetrieveOptions = {},
): { assessment: Assessment; evidence: Evidence[] } {
  const plan = planByCode(question, { k, weigh: weightIn(index) });
  const ledger = new Ledger();
  for (const { name, input } of plan.requested_tools) {
    const query = String(input['query']);
    ledger.add(retrieveDocs(index, query, { k, ...(allows === undefined ? {} : { allows }) }), { query, tool: name });
  }
  return { assessment: assess(plan.subquestions, ledger.evidence), evidence: ledger.evidence };
}
