/** `rag_retrieve`: passages of the library for a query, as documents. */
import * as v from 'valibot';
import { maskSecrets } from '#core/agent/reasoning/steps.ts';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { retrieveByProfile } from '../evidence/retrieve-by-profile.ts';
import type { RagDoc } from '../evidence/evidence.types.ts';
import { PROFILES } from '../run/options.ts';
import type { AskToolContext } from './context.ts';
import { DocsSchema } from './docs.ts';

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
  async execute({ query, k, retriever_profile = 'bm25', rerank = true }, { context }: { context: AskToolContext }) {
    const wished = { k: 3 * k, profile: retriever_profile, rerank };
    const { docs: found, profile } = await retrieveByProfile(context, query, wished);
    const docs = mixed(found, k).map(withoutSecrets);
    const provenance = docs.map(({ source_id, metadata }) => ({ source: source_id, ref: metadata.path }));
    // How it was looked for in the end: without vectors it is words alone.
    return { ok: true, output: { docs }, provenance: [{ source: 'profile', ref: profile }, ...provenance] };
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
