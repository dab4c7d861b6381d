/** What is told of progress, from workers to pages. */
import * as v from 'valibot';

export const ToldSchema = v.union([
  /** 0..1 by job. */
  v.object({ type: v.literal('converting'), shares: v.map(v.string(), v.number()) }),
  /** Bytes of a drop that is read in: dropped files, copies of archives and what comes out of them. */
  v.object({ type: v.literal('reading'), batch_id: v.string(), done: v.number(), total: v.number() }),
]);
export type Told = v.InferOutput<typeof ToldSchema>;
