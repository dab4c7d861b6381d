/** Which folders are brought to the disk when a file is placed: a power cut may take a new name that none of them has. */
import { mkdtemp, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDiskMedia } from '#adapters/node/disk-media-store.ts';
import { vorbisFile } from '../../fixtures/vorbis-file.ts';

const FILE = vorbisFile({ durationMs: 255_000 });

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'accession-folders-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(root, { recursive: true, force: true });
});

/** Inodes that were brought to the disk from now on. */
async function synced(): Promise<Set<number>> {
  const handle = await open(root, 'r');
  const shared = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const seen = new Set<number>();
  const { sync } = shared;
  vi.spyOn(shared, 'sync').mockImplementation(async function (this: FileHandle) {
    seen.add((await this.stat()).ino);
    return sync.call(this);
  });
  return seen;
}

test('OPS-53 a file that is placed or retired is on the disk with every folder that was made for it', async () => {
  const media = await openDiskMedia(root);
  const upload = (async function* () {
    yield await Promise.resolve(FILE.bytes);
  })();
  await media.putUpload(FILE.sha256, upload);
  const seen = await synced();
  const hasSynced = async (...path: string[]): Promise<boolean> => seen.has((await stat(join(root, ...path))).ino);
  await media.place(FILE.sha256, 'Artist/Album (1999)/1-01 One.ogg');
  for (const folder of ['media', 'media/Artist', 'media/Artist/Album (1999)'])
    expect(await hasSynced(folder), folder).toBe(true);
  await media.retire('Artist/Album (1999)/1-01 One.ogg', 'Artist/Album/Former.ogg');
  for (const folder of ['.', 'media-former', 'media-former/Artist', 'media-former/Artist/Album'])
    expect(await hasSynced(folder), folder).toBe(true);
});
