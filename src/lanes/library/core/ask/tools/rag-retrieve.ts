/** `rag_retrieve`: passages of the library for a query, as documents. */
import * as v from 'valibot';
import { maskSecrets } from '#core/agent/reasoning/steps.ts';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { retrieveDocs, type RetrieveOptions } from '../evidence/retrieve.ts';
import type { RagDoc } from '../evidence/evidence.types.ts';
import type { LibraryIndex } from '../../search/library-index.ts';
import { PROFILES } from '../run/options.ts';
import { DocsSchema } from './docs.ts';

/** What the tools of a run look at. */
export interface AskToolContext {
  index: LibraryIndex;
  allows?: RetrieveOptions['allows'];
}

export const ragRetrieve = readTool({
  name: 'rag_retrieve',
  description: 'Finds the passages of the library that fit a query best.',
  input: v.strictObject({
    query: v.pipe(v.string(), v.nonEmpty('the query is empty'), v.maxLength(4000)),
    k: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
    retriever_profile: v.exactOptional(v.picklist(PROFILES)),
    rerank: v.exactOptional(v.boolean()),
  }),
  output: v.object({ docs: DocsSchema }),
  limits: { calls: 200 },
  execute: ({ query, k }, { context }: { context: AskToolContext }) => {
    const { index, allows } = context;
    const found = retrieveDocs(index, query, { k: 3 * k, ...(allows === undefined ? {} : { allows }) });
    const docs = mixed(found, k).map(withoutSecrets);
    const provenance = docs.map(({ source_id, metadata }) => ({ source: source_id, ref: metadata.path }));
    return Promise.resolve({ ok: true, output: { docs }, provenance });
  },
});

/** A secret in a document is shown to no model and stands in no transcript. */
export function withoutSecrets(doc: RagDoc): RagDoc {
  return { ...doc, title: maskSecrets(doc.title), text: maskSecrets(doc.text) };
}

/** The best `k`, a third of them of one source at most while others have any: a file that repeats itself leaves room. */
export function mixed(docs: readonly RagDoc[], k: number): RagDoc[] {
  const most = Math.max(2, Math.ceil(k / 3));
  const counts = new Map<string, number>();
  const within = new Set<RagDoc>();
  for (const doc of docs) {
    const count = counts.get(doc.source_id) ?? 0;
    counts.set(doc.source_id, count + 1);
    if (count < most && within.size < k) within.add(doc);
  }
  for (const doc of docs) if (within.size < k) within.add(doc);
  return docs.filter((doc) => within.has(doc));
}
