/**
 * What the browser took away between two visits: stored files without their rows, or rows without their stored files. It
 * may clear either for want of space, or because somebody cleaned up; neither tells us. Found at the start, before anything
 * else is done, and said until the person has read it.
 */
import * as v from 'valibot';
import { failure } from '#core/errors.ts';
import type { ApplyContext } from '#core/job/apply.ts';
import { isDecided, isFinished, type Job } from '#core/job/job.ts';
import type { BlobStore } from '#core/ports.ts';
import { loseOriginal } from '#core/run/commands.ts';
import type { JobStore } from '#core/run/job-store.ts';
import type { AccessionDb } from '../db.ts';
import { whileNothingIsStaged } from '../stage/locks.ts';

/** There were rows here once. */
const KNOWN_ROW = 'storage_known';
const LOSS_ROW = 'storage_loss';
/** Files that are named. */
const NAMED = 20;

const LossSchema = v.object({
  at: v.number(),
  /** Files that were worked on and whose stored copy is gone: how many, and the first by name. */
  files: v.number(),
  names: v.array(v.string()),
  /** Stored files of which nothing is known any more; they are kept until the person decides. */
  strays: v.array(v.object({ sha256: v.string(), size: v.number() })),
});
export type StorageLoss = v.InferOutput<typeof LossSchema>;

/** What is gone, or null. */
export async function readStorageLoss(db: AccessionDb): Promise<StorageLoss | null> {
  const parsed = v.safeParse(LossSchema, (await db.meta.get(LOSS_ROW))?.value);
  return parsed.success ? parsed.output : null;
}

/** The person knows. What is stored and named by nothing is freed as anything else. */
export async function leaveStorageLoss(db: AccessionDb): Promise<void> {
  await db.meta.delete(LOSS_ROW);
}

/** Stored files that wait for the person's word. */
export async function keptStrays(db: AccessionDb): Promise<string[]> {
  return (await readStorageLoss(db))?.strays.map(({ sha256 }) => sha256) ?? [];
}

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
  const names = inWork.map((job) => job.original_filename).slice(0, NAMED);
  const loss: StorageLoss = { at: clock.now(), files: inWork.length, names, strays };
  await db.meta.put({ key: LOSS_ROW, value: loss });
  return loss;
}
