/** A plan without a model: the parts of the question, and one search for each. */
import { analyse } from './sub-question.ts';
import { divideQuestion } from './divide.ts';
import { MOST_SUBQUESTIONS, type AskPlan, type StopIf, type ToolRequest } from './question.types.ts';

export interface PlanWishes {
  /** Passages a search. */
  k?: number;
  retriever_profile?: 'vector' | 'hybrid' | 'bm25';
  rerank?: boolean;
  /** Further wordings. */
  expand?: number;
  stop_if?: StopIf;
  /** How much a term of the index tells; 1 where it is not known. */
  weigh?: (term: string) => number;
  /** The question before, where this one follows on from it. */
  after?: string | null;
  /** false: nothing is searched for in the library. */
  retrieves?: boolean;
}

export function planByCode(question: string, wishes: PlanWishes = {}): AskPlan {
  const parts = divideQuestion(question, wishes.after ?? null).slice(0, MOST_SUBQUESTIONS);
  const subquestions = parts.map((part, at) => analyse(`q${at + 1}`, part, wishes.weigh));
  const { k, retriever_profile, rerank, retrieves = true } = wishes;
  const options = {
    ...(k === undefined ? {} : { k }),
    ...(retriever_profile === undefined ? {} : { retriever_profile }),
    ...(rerank === undefined ? {} : { rerank }),
  };
  const queries = new Set<string>();
  for (const [at, { text }] of subquestions.entries()) {
    const about = parts[at]?.about ?? null;
    queries.add(about === null ? text : `${text} ${about}`);
  }
  // The whole question, where its parts alone would lose what binds them.
  if (subquestions.length > 1) queries.add(question.trim());
  const requested_tools: ToolRequest[] = retrieves
    ? [...queries].map((query) => ({ name: 'rag_retrieve', input: { query, ...options } }))
    : [];
  return { subquestions, expanded_queries: [], requested_tools, stop_if: wishes.stop_if ?? {} };
}
