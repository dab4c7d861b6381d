import { db } from '../client/db.ts';
import { Live } from '../parts/live.svelte.ts';

/** An archive of which something can still be taken in. */
export interface WaitingArchive {
  batch_id: string;
  path: string;
  /** Files that want a password, and files that want space. */
  password: number;
  space: number;
}

async function waiting(): Promise<WaitingArchive[]> {
  const batches = await db.batches.where('state').equals('staged').sortBy('created_at');
  return batches.flatMap((batch) =>
    batch.archives.flatMap(({ path, waiting: wants }) =>
      wants === undefined ? [] : [{ batch_id: batch.id, path, ...wants }],
    ),
  );
}

/** Live, oldest drop first. */
export const waitingArchives = new Live<WaitingArchive[]>(waiting, [], 300, ['batches']);
