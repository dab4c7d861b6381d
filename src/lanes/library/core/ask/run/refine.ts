/** The next round by code: other words for the parts that are not answered. */
import type { Assessment } from '../evidence/assess.ts';
import type { ToolRequest } from '../question/question.types.ts';

/** Searches of one round for one part. */
const MOST_OF_PART = 2;

/** Queries that were not searched for yet, best first; `expand`: how many further ones each round may have. */
export function furtherQueries({ parts }: Assessment, asked: ReadonlySet<string>, expand: number): string[] {
  const found: string[] = [];
  const take = (query: string): boolean => {
    const words = query.replaceAll(/\s+/g, ' ').trim();
    if (words === '' || asked.has(words) || found.includes(words)) return false;
    found.push(words);
    return true;
  };
  for (const { question, ranked, answered } of parts) {
    if (answered) continue;
    let taken = 0;
    for (const query of wordings(question, ranked)) if (taken < MOST_OF_PART + expand && take(query)) taken += 1;
  }
  return found;
}

/** Further wordings of the first round. */
export function expandedQueries({ parts }: Assessment, asked: ReadonlySet<string>, expand: number): string[] {
  const found: string[] = [];
  for (const { question } of parts)
    for (const query of wordings(question, []))
      if (found.length < expand && !asked.has(query) && !found.includes(query)) found.push(query);
  return found;
}

type Part = Assessment['parts'][number];

/** What tells most, without the words with which one asks; what nothing near said; the place where it came nearest. */
function* wordings({ terms, text }: Part['question'], ranked: Part['ranked']): Generator<string> {
  const by = [...terms].sort((a, b) => b.weight - a.weight);
  const names = terms.filter(({ kind }) => kind !== 'word').map(({ word }) => word);
  yield terms.map(({ word }) => word).join(' ');
  const absent = ranked[0]?.fit.absent ?? [];
  if (absent.length > 0) yield [...names, ...absent].join(' ');
  const heading = ranked[0]?.sentence.heading.split(' > ').at(-1) ?? '';
  if (heading !== '')
    yield `${heading} ${by
      .slice(0, 3)
      .map(({ word }) => word)
      .join(' ')}`;
  if (names.length > 0 && names.length < terms.length) yield names.join(' ');
  yield by
    .slice(0, 2)
    .map(({ word }) => word)
    .join(' ');
  yield text.replace(/[?？]+$/, '');
}

/** A search as `rag_retrieve` takes it. */
export function ragRequest(query: string, retriever: { k: number; profile: string; rerank: boolean }): ToolRequest {
  const { k, profile, rerank } = retriever;
  return { name: 'rag_retrieve', input: { query, k, retriever_profile: profile, rerank } };
}
