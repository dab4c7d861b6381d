/// <reference lib="dom" />
import { wrap, type Remote } from 'comlink';
import type { StageApi } from '#adapters/browser/api.ts';
import { openBlobStore } from '#adapters/browser/blob-store.ts';
import { AccessionDb } from '#adapters/browser/db.ts';
import { openArchive } from '#adapters/media/archive/open.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { archiveLimits } from '#core/ingest/limits.ts';

let stage: Remote<StageApi> | undefined;

export const unzipOrders = {
  /** Where the bench puts a file of the disk, which the page then holds without reading it. */
  makeInput(): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.id = 'archive';
    document.body.append(input);
  },

  /** Milliseconds until every entry of it is known. */
  async listArchive(): Promise<{ ms: number; entries: number }> {
    const file = chosen();
    const limits = { ...archiveLimits(DEFAULT_SETTINGS), maxArchiveBytes: 64 * 1024 ** 3 };
    const begun = performance.now();
    const opened = await openArchive(file, { name: file.name, limits });
    const ms = performance.now() - begun;
    await opened.close();
    return { ms, entries: opened.items.length };
  },

  /** Puts it where a dropped archive is kept while it is unpacked; answers its name there. */
  async keepArchive(): Promise<string> {
    const store = await openBlobStore();
    return (await store.put(pieces(chosen()))).sha256;
  },

  /** Unpacks a kept archive through the app's reader into the app's store, CRC and SHA-256 included. Bytes. */
  async unpackKept(sha256: string): Promise<number> {
    const store = await openBlobStore();
    const opened = await openArchive(await store.file(sha256), {
      name: 'bench.zip',
      limits: { ...archiveLimits(DEFAULT_SETTINGS), maxArchiveBytes: 64 * 1024 ** 3 },
    });
    let bytes = 0;
    for (const item of opened.items) {
      if (!item.ok) throw new Error(item.failure.message);
      bytes += (await store.put(item.chunks())).size;
    }
    await opened.close();
    return bytes;
  },

  /** The whole drop through the stage worker: the archive kept, unpacked, its rows written. Jobs. */
  async stageArchive(): Promise<number> {
    stage ??= wrap<StageApi>(
      new Worker(new URL('../../../../workers/stage.worker.ts', import.meta.url), { type: 'module', name: 'stage' }),
    );
    const file = chosen();
    const done = await stage.stage([{ path: file.name, file }], { type: 'SPONTANEOUS', id: null });
    if (!done.ok) throw new Error(done.failure.message);
    const jobs = await new AccessionDb().jobs.where('batch_id').equals(done.value.batch_id).toArray();
    const failed = jobs.find((job) => job.failure !== null);
    if (failed !== undefined) throw new Error(failed.error_message ?? 'failed');
    return jobs.length;
  },

  /** Forgets all rows and blobs. */
  async clearStage(): Promise<void> {
    const db = new AccessionDb();
    await Promise.all([db.jobs.clear(), db.steps.clear(), db.batches.clear()]);
    const store = await openBlobStore(db);
    for await (const { sha256 } of store.list()) await store.delete(sha256);
  },
};

function chosen(): File {
  const input = document.querySelector<HTMLInputElement>('#archive');
  const file = input?.files?.[0];
  if (file === undefined) throw new Error('No archive was chosen.');
  return file;
}

async function* pieces(file: File): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += 1024 ** 2)
    yield new Uint8Array(await file.slice(at, at + 1024 ** 2).arrayBuffer());
}
