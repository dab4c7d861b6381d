/** Documents among files that were dropped on Ingest. */
import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import type { Batch } from '#core/job/job.ts';
import { db } from '#ui/client/db.ts';
import { desk } from './documents-desk.svelte.ts';

export interface TakenDocuments {
  id: string;
  /** Milliseconds. */
  at: number;
  count: number;
  /** The first of them. */
  name: string;
}

const documentsOf = ({ companions }: Batch) =>
  companions.filter(({ kind, sha256 }) => kind === 'document' && sha256 !== null);

/** Newest first. */
export async function takenDocuments(limit: number): Promise<TakenDocuments[]> {
  const batches = await db.batches.orderBy('created_at').reverse().toArray();
  return batches
    .flatMap((batch): TakenDocuments[] => {
      const [first, ...rest] = documentsOf(batch);
      if (first === undefined) return [];
      return [{ id: batch.id, at: batch.created_at, count: 1 + rest.length, name: first.path }];
    })
    .slice(0, limit);
}

/** Opens the documents of a batch; those of a drop of nothing else only where no others are being worked on. */
export async function showTaken(batchId: string, alone: boolean): Promise<void> {
  if (alone && desk.stage !== 'start') return;
  await goto(resolve('documents'));
  await desk.open({ kind: 'batch', id: batchId });
}
