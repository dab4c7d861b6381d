/**
 * What is worth no row: how far the files in hand are, told to the pages of all tabs. A row for each word would cost a
 * write to the disk, and each page a read of everything that it shows.
 */
import * as v from 'valibot';

const ProgressSchema = v.union([
  /** 0..1 by job. */
  v.object({ type: v.literal('converting'), shares: v.map(v.string(), v.number()) }),
  /** Bytes of a drop that is read in: dropped files, copies of archives and what comes out of them. */
  v.object({ type: v.literal('reading'), batch_id: v.string(), done: v.number(), total: v.number() }),
]);
export type Told = v.InferOutput<typeof ProgressSchema>;

const NAME = 'accession-progress';

/** For workers: answers the function that tells. */
export function tellProgress(): (told: Told) => void {
  const channel = new BroadcastChannel(NAME);
  return (told) => channel.postMessage(told);
}

/** For the stage worker: bytes of a batch. */
export function tellReading(): (batchId: string, done: number, total: number) => void {
  const tell = tellProgress();
  return (batch_id, done, total) => tell({ type: 'reading', batch_id, done, total });
}

/** For pages: answers the function that stops hearing. */
export function hearProgress(hear: (told: Told) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = (event: MessageEvent<unknown>) => {
    const told = v.safeParse(ProgressSchema, event.data);
    if (told.success) hear(told.output);
  };
  return () => channel.close();
}
