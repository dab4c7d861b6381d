/**
 * What of the blob store is still needed, and freeing the rest. Originals stay until their commit and then
 * for the days the person set; outputs until the server has them; what failed stays for Retry.
 */
import type { Job } from '#core/job/job.ts';
import type { BlobStore, Clock } from '#core/ports.ts';
import { defaultGrace, type BrowserBlobStore } from './blob-store.types.ts';
import type { StorageReport } from './api.ts';
import type { AccessionDb } from './db.ts';
import { readSettings } from './settings.ts';

const DAY_MS = 86_400_000;

interface Needs {
  needed: Set<string>;
  /** Jobs whose original may go. */
  expired: Job[];
}

async function needs(db: AccessionDb, now: number): Promise<Needs> {
  const keepMs = (await readSettings(db)).keep_originals_days * DAY_MS;
  const needed = new Set<string>();
  const expired: Job[] = [];
  const need = (sha256: string | null): void => {
    if (sha256 !== null) needed.add(sha256);
  };
  await db.jobs.each((job) => {
    const done = job.status === 'COMPLETED';
    const old = done && job.completed_at !== null && now - job.completed_at >= keepMs;
    if (!done) need(job.output_sha256);
    if (old && job.temp_file_path !== null) expired.push(job);
    if (!old) {
      need(job.sha256);
      need(job.cover_sha256);
    }
  });
  await db.outbox.each((item) => need(item.blob_sha256));
  await db.batches.each((batch) => {
    for (const archive of batch.archives) if (!archive.done || archive.waiting !== undefined) need(archive.sha256);
    for (const companion of batch.companions) need(companion.sha256);
  });
  return { needed, expired };
}

/**
 * Frees what nothing needs; answers the bytes. Rows say that their original is gone before it goes. While
 * something is being staged nothing is freed: a blob may be there before its row is.
 */
export async function freeStorage(db: AccessionDb, blobs: BrowserBlobStore, clock: Clock): Promise<number> {
  if (await isStaging()) return 0;
  const { needed, expired } = await needs(db, clock.now());
  await db.transaction('rw', db.jobs, async () => {
    for (const job of expired) await db.jobs.update(job.id, { temp_file_path: null });
  });
  return (await blobs.collectGarbage(needed, defaultGrace(clock.now()))).bytes;
}

async function isStaging(): Promise<boolean> {
  if (!('locks' in navigator)) return false;
  const { held } = await navigator.locks.query();
  return held?.some((lock) => lock.name?.startsWith('accession-stage-')) ?? false;
}

/** Bytes in use and what could be freed now. The browser's own estimate may be wrong by a lot. */
export async function reportStorage(db: AccessionDb, blobs: BlobStore, clock: Clock): Promise<StorageReport> {
  const { needed } = await needs(db, clock.now());
  const outputs = new Set<string>();
  await db.jobs.each((job) => {
    if (job.output_sha256 !== null) outputs.add(job.output_sha256);
  });
  const report: StorageReport = { usage: 0, quota: 0, persisted: false, originals: 0, outputs: 0, freeable: 0 };
  for await (const { sha256, size } of blobs.list()) {
    if (!needed.has(sha256)) report.freeable += size;
    else if (outputs.has(sha256)) report.outputs += size;
    else report.originals += size;
  }
  const estimate = await navigator.storage?.estimate?.();
  report.usage = estimate?.usage ?? 0;
  report.quota = estimate?.quota ?? 0;
  report.persisted = (await navigator.storage?.persisted?.()) ?? false;
  return report;
}
