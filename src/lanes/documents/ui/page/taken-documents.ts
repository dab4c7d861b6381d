/** Documents among files that were dropped on Ingest. */
import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import type { Batch } from '#core/job/job.ts';
import { db } from '#ui/client/db.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { plural } from '#ui/parts/words.ts';
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

/** A drop of nothing but documents leads to their page; beside other files they are said to be there. */
export async function showTaken(batch: Batch): Promise<void> {
  const count = documentsOf(batch).length;
  const show = async (): Promise<void> => {
    await goto(resolve('documents'));
    await desk.open({ kind: 'batch', id: batch.id });
  };
  const others = await db.jobs.where('batch_id').equals(batch.id).count();
  if (others === 0 && desk.stage === 'start') return show();
  const words = `${plural(count, 'document is', 'documents are')} on the Documents page.`;
  toasts.say(words, { label: 'Show', run: () => void show() });
}
