import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDiskMedia } from '#adapters/node/disk-media-store.ts';

test('COMMIT-9 former audio is never written over: other bytes stay where they are, the same ones are there already', async () => {
  const data = await mkdtemp(join(tmpdir(), 'accession-retire-'));
  try {
    const store = await openDiskMedia(data);
    await mkdir(join(data, 'media-former'));
    await writeFile(join(data, 'media', 'a.ogg'), 'live');
    await writeFile(join(data, 'media-former', 'a.ogg'), 'kept');
    await store.retire('a.ogg', 'a.ogg');
    expect(await readFile(join(data, 'media-former', 'a.ogg'), 'utf8')).toBe('kept');
    expect(await store.size('a.ogg')).toBe(4);
    await writeFile(join(data, 'media-former', 'a.ogg'), 'live');
    await store.retire('a.ogg', 'a.ogg');
    expect(await store.size('a.ogg')).toBeNull();
    expect(await readFile(join(data, 'media-former', 'a.ogg'), 'utf8')).toBe('live');
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});
