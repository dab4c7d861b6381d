import { mkdir, mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDiskMedia } from '#adapters/node/disk-media-store.ts';
import { mediaStoreContract, uploadOf, type OpenedMedia } from './media-store.ts';

const opened =
  (options?: { shared: boolean }): (() => Promise<OpenedMedia>) =>
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'accession-media-'));
    const close = () => rm(data, { recursive: true, force: true });
    return { data, store: await openDiskMedia(data, options), close };
  };

mediaStoreContract('DiskMediaStore', opened());
mediaStoreContract('DiskMediaStore of several processes', opened({ shared: true }));

test('UPLOAD-11 what another process still writes to an upload does not reach what was published of it', async () => {
  const media = await opened({ shared: true })();
  const bytes = Buffer.from('the audio that was approved');
  const sha256 = await uploadOf(media, bytes);
  // As a PATCH does that began while the upload was not whole.
  const late = await open(join(media.data, 'uploads', sha256), 'r+');
  try {
    expect(await media.store.place(sha256, 'A/B/1-01 C.ogg')).toBe(true);
    await late.write(Buffer.from('something else'), 0, 14, 0);
    expect(await readFile(join(media.data, 'media/A/B/1-01 C.ogg'))).toEqual(bytes);
    // Written to before that, it is not published at all, and nothing is left of it.
    await expect(media.store.place(sha256, 'A/B/1-02 D.ogg')).rejects.toThrow('while it was being published');
    expect(await readdir(join(media.data, 'media/A/B'))).toEqual(['1-01 C.ogg']);
  } finally {
    await late.close();
    await media.close();
  }
});

test('PLACE-2 what a killed process left half placed goes after an hour; what one places now stays', async () => {
  const media = await opened({ shared: true })();
  try {
    const folder = join(media.data, 'media/A/B');
    await mkdir(folder, { recursive: true });
    for (const name of ['.old.part', '.new.part']) await writeFile(join(folder, name), 'half');
    await utimes(join(folder, '.old.part'), 1000, 1000);
    await media.store.place(await uploadOf(media, Buffer.from('audio')), 'A/B/1-01 C.ogg');
    expect((await readdir(folder)).toSorted()).toEqual(['.new.part', '1-01 C.ogg']);
  } finally {
    await media.close();
  }
});
