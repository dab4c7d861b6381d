/// <reference lib="dom" />
import { wrap, type Remote } from 'comlink';
import type { StageApi } from '#adapters/browser/api.ts';
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { openArchive } from '#adapters/media/archive/open.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { openAppDatabase } from './database.ts';
import type { Unpacker } from './unzip-worker.ts';

let stage: Remote<StageApi> | undefined;
let unpacking: Remote<Unpacker> | undefined;

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
  keepArchive: (): Promise<string> => unpacker().keep(chosen()),

  /** Unpacks a kept archive into the app's store. Bytes. */
  unpackKept: (sha256: string): Promise<number> => unpacker().unpack(sha256),

  /** The whole drop through the stage worker: the archive kept, unpacked, its rows written. Jobs. */
  async stageArchive(): Promise<number> {
    stage ??= wrap<StageApi>(
      new Worker(new URL('../../../../workers/stage.worker.ts', import.meta.url), { type: 'module', name: 'stage' }),
    );
    const file = chosen();
    const done = await stage.stage([{ path: file.name, file }], { type: 'SPONTANEOUS', id: null });
    if (!done.ok) throw new Error(done.failure.message);
    const jobs = await openAppDatabase().jobs.where('batch_id').equals(done.value.batch_id).toArray();
    // What is none by its content is refused as it should be.
    const failed = jobs.find((job) => job.failure !== null && job.failure.code !== 'file_mislabelled');
    if (failed !== undefined) throw new Error(failed.error_message ?? 'failed');
    return jobs.length;
  },

  /** Forgets all rows and blobs. */
  async clearStage(): Promise<void> {
    const db = openAppDatabase();
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

function unpacker(): Remote<Unpacker> {
  unpacking ??= wrap<Unpacker>(new Worker(new URL('./unzip-worker.ts', import.meta.url), { type: 'module' }));
  return unpacking;
}
