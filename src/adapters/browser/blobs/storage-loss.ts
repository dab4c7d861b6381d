/**
 * What the browser took away between two visits: stored files without their rows, or rows without their stored files. It
 * may clear either for want of space, or because somebody cleaned up; neither tells us. Found at the start, before anything
 * else is done, and said until the person has read it.
 */
import { failure } from '#core/errors.ts';
import type { ApplyContext } from '#core/job/apply.ts';
import { isDecided, isFinished, type Job } from '#core/job/job.ts';
import type { BlobStore } from '#core/ports.ts';
import { loseOriginal } from '#core/run/commands.ts';
import type { JobStore } from '#core/run/job-store.ts';
import type { AccessionDb } from '../db.ts';
import { whileNothingIsStaged } from '../stage/locks.ts';
import { LOSS_ROW, readStorageLoss, type StorageLoss } from './storage-loss-row.ts';

/** There were rows here once. */
const KNOWN_ROW = 'storage_known';
/** Files that are named. */
const NAMED = 20;

export interface LossDeps extends ApplyContext {
  db: AccessionDb;
  blobs: Pick<BlobStore, 'list' | 'size'>;
  /** Over the same rows. */
  store: JobStore;
}

/**
 * Looks once through what is stored. Files in work whose original is gone have failed, with what to do; rows of finished
 * ones do not name it any more. Answers what is gone, or null. While something is being staged it is not looked: a file
 * may be there before its row is.
 */
export async function findStorageLoss(deps: LossDeps): Promise<StorageLoss | null> {
  return whileNothingIsStaged(() => find(deps));
}

async function find(deps: LossDeps): Promise<StorageLoss | null> {
  const { db, blobs, store, clock } = deps;
  const stored = await Array.fromAsync(blobs.list());
  const has = new Set(stored.map(({ sha256 }) => sha256));
  const known = (await db.meta.get(KNOWN_ROW)) !== undefined;
  const rows = (await db.jobs.count()) + (await db.batches.count());
  if (!known) await db.meta.put({ key: KNOWN_ROW, value: clock.now() });
  const strays = !known && rows === 0 ? stored : [];
  const missed: Job[] = [];
  await db.jobs.each((job) => {
    if (job.temp_file_path !== null && job.sha256 !== null && !has.has(job.sha256)) missed.push(job);
  });
  const gone: Job[] = [];
  for (const job of missed) if ((await blobs.size(job.sha256 ?? '')) === null) gone.push(job);
  const inWork = gone.filter((job) => !isFinished(job));
  await store.change(async (changes) => {
    for (const job of gone) {
      // What is converted already may still be published; where it is gone as well, publishing says so.
      if (isDecided(job) && job.output_sha256 !== null && has.has(job.output_sha256)) continue;
      const why = `"${job.original_filename}": the browser has removed its stored copy.`;
      await loseOriginal(changes, deps, job, failure('blob_missing', why));
    }
  });
  if (strays.length + inWork.length === 0) return readStorageLoss(db);
  const names = inWork.map((job) => job.original_filename);
  return db.transaction('rw', db.meta, async () => {
    // What was found before and the person has not read yet is said with it, and kept for them.
    const before = await readStorageLoss(db);
    const loss: StorageLoss = {
      at: clock.now(),
      files: (before?.files ?? 0) + inWork.length,
      names: [...(before?.names ?? []), ...names].slice(0, NAMED),
      strays: [...(before?.strays ?? []), ...strays],
    };
    await db.meta.put({ key: LOSS_ROW, value: loss });
    return loss;
  });
}
