import type * as files from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { randomIds } from '#core/ids.ts';
import { openStore, type Store } from '#server/store/store.ts';

/** What happens where the log is brought to the disk. */
const disk = vi.hoisted(() => ({ flush: async (): Promise<void> => undefined }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>();
  const open: typeof real.open = async (path, ...rest) => {
    const file = await real.open(path, ...rest);
    if (String(path).endsWith('-wal'))
      file.datasync = async () => {
        await disk.flush();
      };
    return file;
  };
  return { ...real, open };
});

let directory = '';
let store: Store | null = null;

async function opened(): Promise<Store> {
  directory = await mkdtemp(join(tmpdir(), 'accession-flush-'));
  store = await openStore(sqliteFile(join(directory, 'catalog.db')), () => randomIds.next());
  return store;
}

afterEach(async () => {
  disk.flush = async () => undefined;
  await store?.close();
  await rm(directory, { recursive: true, force: true });
});

const note = (at: Store, key: string): Promise<unknown> =>
  at.write((tx) => tx.insertInto('meta').values({ key, value: 'x' }).execute());

test('API-103 who commits goes on only when the log is on the disk, and others have their turn meanwhile', async () => {
  const at = await opened();
  let written = (): void => undefined;
  const onDisk = new Promise<void>((resolve) => (written = resolve));
  let asked = false;
  disk.flush = async () => {
    asked = true;
    await onDisk;
  };
  let done = false;
  const write = note(at, 'a').then(() => (done = true));
  // The disk takes its time: the loop turns, reading goes on, and nothing is answered.
  for (let turn = 0; turn < 50 || !asked; turn += 1) await setImmediate();
  expect([done, await at.db.selectFrom('meta').select('key').limit(1).execute()]).toEqual([false, [expect.anything()]]);
  written();
  await write;
  expect(done).toBe(true);
  const { rows } = await at.write((tx) => sql<{ synchronous: number }>`pragma synchronous`.execute(tx));
  expect(rows).toEqual([{ synchronous: 1 }]);
});

test('API-103 what the disk did not take is no success', async () => {
  const at = await opened();
  disk.flush = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
  await expect(note(at, 'b')).rejects.toMatchObject({ failure: { code: 'storage_failed' } });
  disk.flush = async () => undefined;
  await note(at, 'c');
});

test('API-104 who wants to write while another process does stands in nobody else’s way', async () => {
  const at = await opened();
  const { rows } = await at.write((tx) => sql<{ timeout: number }>`pragma busy_timeout`.execute(tx));
  expect(rows).toEqual([{ timeout: 0 }]);
});
