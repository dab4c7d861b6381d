/**
 * Freeing what of the blob store nothing needs any more (core/job/retention.ts), and saying what was freed, when and
 * why, and what goes next.
 */
import * as v from 'valibot';
import { Retention, type DatedFile } from '#core/job/retention.ts';
import { applyEvent, type ApplyContext } from '#core/job/apply.ts';
import type { BlobStore, Clock } from '#core/ports.ts';
import type { JobStore } from '#core/run/job-store.ts';
import { defaultGrace, type BrowserBlobStore } from './blob-store.types.ts';
import type { StorageReport } from '../api.ts';
import type { AccessionDb } from '../db.ts';
import { metaState } from '../meta-state.ts';
import { pageIsGone } from '../end-with-page.ts';
import { readSettings } from '../settings.ts';
import { whileNothingIsStaged } from '../stage/locks.ts';
import { findStorageLoss } from './storage-loss.ts';
import { keptStrays } from './storage-loss-row.ts';
import { isOutOfSpace } from './storage-failure.ts';
import { heldBlobs } from '../uploads/held-blobs.ts';
import type { Timers } from '../../http/socket.ts';

const DAY_MS = 86_400_000;
/** Meta row: the last times that something was freed. */
const FREED_ROW = 'freed';
const MOST_FREED = 5;
/** Of the files that go next, how many are named. */
const MOST_NEXT = 20;

const FreedSchema = v.array(
  v.object({ at: v.number(), files: v.number(), bytes: v.number(), why: v.picklist(['days', 'asked']) }),
);

/**
 * Frees those of these blobs that no row needs, now or until its day. False while something is being staged, which may
 * be about to need one.
 */
export async function freeBlobs(db: AccessionDb, blobs: BrowserBlobStore, names: Iterable<string>): Promise<boolean> {
  const freed = await whileNothingIsStaged(async () => {
    const { needed, dated } = await planOf(db, await keepMsOf(db));
    const stays = new Set([...needed, ...dated.map((file) => file.sha256)]);
    for (const name of names) if (!stays.has(name)) await blobs.delete(name);
    return true;
  });
  return freed ?? false;
}

async function planOf(db: AccessionDb, keepMs: number) {
  const retention = new Retention();
  await db.jobs.each((job) => retention.job(job));
  await db.outbox.each((item) => retention.outbox(item));
  await db.batches.each((batch) => retention.batch(batch));
  return retention.plan(keepMs);
}

const keepMsOf = async (db: AccessionDb): Promise<number> => (await readSettings(db)).keep_originals_days * DAY_MS;

/**
 * Frees what nothing needs; answers the bytes. `early`: also what waits for its day, because the person wants it now.
 * Rows say that their original is gone before it goes. While something is being staged nothing is freed: a blob may be
 * there before its row is.
 */
export async function freeStorage(deps: FreeDeps, early = false): Promise<number> {
  const freed = await whileNothingIsStaged(() => free(deps, early));
  return freed ?? 0;
}

interface FreeDeps extends ApplyContext {
  db: AccessionDb;
  blobs: BrowserBlobStore;
  /** Over the same rows. */
  store: JobStore;
}

async function free(deps: FreeDeps, early: boolean): Promise<number> {
  const { db, blobs, store } = deps;
  const now = deps.clock.now();
  const keepMs = await keepMsOf(db);
  const held = new Set([...(await heldBlobs(db)), ...(await keptStrays(db))]);
  let [files, bytes] = [0, 0];
  const remove = async (gone: readonly DatedFile[]): Promise<void> => {
    for (const { sha256 } of gone) {
      if (held.has(sha256)) continue;
      const size = await blobs.size(sha256);
      if (size === null) continue;
      await blobs.delete(sha256);
      files += 1;
      bytes += size;
    }
  };
  // Read and written as one: no undo comes in between.
  const release = () =>
    store.change(async (rows) => {
      const { needed, dated } = await planOf(db, keepMs);
      const over = dated.filter((file) => early || file.frees_at <= now);
      for (const id of new Set(over.flatMap((file) => file.job_ids)))
        await applyEvent(rows, deps, id, { type: 'freed' });
      const stays = dated.filter((file) => !over.includes(file)).map((file) => file.sha256);
      return { kept: new Set([...needed, ...stays, ...held]), due: over };
    });
  const { kept, due } = await release().catch(async (error: unknown) => {
    if (!isOutOfSpace(error)) throw error;
    // Not even the rows can say so, for want of the very space that is to be freed: they say it right after.
    const { dated } = await planOf(db, keepMs);
    await remove(dated.filter((file) => early || file.frees_at <= now));
    return release();
  });
  await remove(due);
  const rest = await blobs.collectGarbage(kept, defaultGrace(now));
  const entry: StorageReport['freed'][number] = { at: now, files, bytes, why: early ? 'asked' : 'days' };
  if (bytes > 0) await freedRow(db).change((before) => [entry, ...before].slice(0, MOST_FREED));
  return bytes + rest.bytes;
}

/** The latest first. */
const freedRow = (db: AccessionDb) =>
  metaState<StorageReport['freed']>(db, FREED_ROW, (value) => {
    const parsed = v.safeParse(FreedSchema, value);
    return parsed.success ? parsed.output : [];
  });

/** Bytes in use, what waits for its day and what was freed. The browser's own estimate may be wrong by a lot. */
export async function reportStorage(db: AccessionDb, blobs: BlobStore): Promise<StorageReport> {
  const { needed, dated } = await planOf(db, await keepMsOf(db));
  const held = await heldBlobs(db);
  const outputs = new Set<string>();
  await db.jobs.each((job) => {
    if (job.output_sha256 !== null) outputs.add(job.output_sha256);
  });
  const sizes = new Map<string, number>();
  const report: StorageReport = {
    ...{ usage: 0, persisted: false, originals: 0, outputs: 0, freeable: 0 },
    ...{ published: { files: 0, bytes: 0 }, next: [], freed: await freedRow(db).read() },
  };
  const waits = new Set(dated.map((file) => file.sha256));
  for await (const { sha256, size } of blobs.list()) {
    if (waits.has(sha256)) sizes.set(sha256, size);
    else if (!needed.has(sha256) && !held.has(sha256)) report.freeable += size;
    else if (outputs.has(sha256)) report.outputs += size;
    else report.originals += size;
  }
  for (const file of dated) {
    const size = sizes.get(file.sha256);
    if (size === undefined) continue;
    report.published.files += 1;
    report.published.bytes += size;
    if (report.next.length < MOST_NEXT) report.next.push(upcoming(file, size));
  }
  report.usage = (await navigator.storage?.estimate?.())?.usage ?? 0;
  report.persisted = (await navigator.storage?.persisted?.()) ?? false;
  return report;
}

function upcoming({ sha256, name, published_at, frees_at }: DatedFile, size: number): StorageReport['next'][number] {
  return { sha256, name, size, published_at, frees_at };
}

/** When stored files are freed: at the start, a while after results were published, and once an hour. */

/** After a result was published; those of one album come together. */
const SOON_MS = 30_000;
/** Between two, however much is published: each reads all rows. */
const REST_MS = 5 * 60_000;
/** A page may stay open for weeks, and files reach their day without anything else happening. */
const EVERY_MS = 3_600_000;

/** Freeing and its report, for the pipeline. */
export function openStorage(
  deps: FreeDeps & { timers: Timers },
): Collector & { report(): Promise<StorageReport>; findLoss(): Promise<unknown> } {
  const { db, blobs, clock, timers } = deps;
  const free = (early: boolean): Promise<number> => freeStorage(deps, early);
  // What could not be freed now is tried again in an hour.
  const onError = (error: unknown): void => {
    if (!pageIsGone(db)) console.error(error);
  };
  const collector = createCollector({ free, clock, timers, onError });
  return { ...collector, report: () => reportStorage(db, blobs), findLoss: () => findStorageLoss(deps) };
}

interface Collector {
  /** Now; answers the bytes. `early`: also what waits for its day. The next one follows by itself. */
  free(early?: boolean): Promise<number>;
  /** A result was published. */
  published(): void;
}

export function createCollector(options: {
  free(early: boolean): Promise<number>;
  clock: Clock;
  timers: Timers;
  onError(error: unknown): void;
}): Collector {
  const { clock, timers, onError } = options;
  let timer: unknown = null;
  let dueAt = Infinity;
  let lastAt = -Infinity;

  function arm(ms: number): void {
    if (timer !== null) timers.clear(timer);
    dueAt = clock.now() + ms;
    timer = timers.set(() => void free().catch(onError), ms);
  }
  async function free(early = false): Promise<number> {
    lastAt = clock.now();
    try {
      return await options.free(early);
    } finally {
      arm(EVERY_MS);
    }
  }
  return {
    free,
    published(): void {
      const now = clock.now();
      const at = Math.max(now + SOON_MS, lastAt + REST_MS);
      // A clock that was set back must not put it off for long.
      const ms = Math.min(at - now, REST_MS);
      if (now + ms < dueAt) arm(ms);
    },
  };
}
