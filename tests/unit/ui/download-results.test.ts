import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js';
import { beforeAll, expect, test } from 'vitest';
import { resultName } from '#lanes/music/ui/ingest/result-name.ts';
import { zipOf } from '#adapters/browser/zip-of-files.ts';
import type { Job } from '#core/job/job.ts';
import { resultNames } from '#ui/ingest/download-results.ts';
import { setLanes } from '#ui/lanes.ts';
import { job } from './fixtures.ts';

beforeAll(() => setLanes([{ id: 'music', rows: { resultName } as never }]));

const made = (id: string, title: string, position: number, disc = 1): Job =>
  job(id, {
    ...{ output_sha256: id, matched_track_id: id, matched_title: title, matched_album: 'AC/DC: Live?' },
    match: { options: [{ track_id: id, title, position, disc, artist: 'Con', album: 'AC/DC: Live?' }] },
  } as never);

test('UI-267: results are named as their album has them, each once, as every file system takes it', () => {
  const jobs = [
    ...[made('a', 'Zombie', 1), made('b', 'Zombie', 1), made('c', '../..\\Mister "Follow" Follow', 12, 2)],
    job('d', { output_sha256: 'd', original_filename: 'rest.of.it.wav' }),
    job('e', { original_filename: 'not made.wav' }),
  ];
  expect(resultNames(jobs)).toEqual([
    { name: 'Con - AC-DC - Live/01 Zombie.ogg', sha256: 'a' },
    { name: 'Con - AC-DC - Live/01 Zombie (2).ogg', sha256: 'b' },
    { name: expect.stringMatching(/^Con - AC-DC - Live\/2-12 [^/\\]+Mister 'Follow' Follow\.ogg$/), sha256: 'c' },
    { name: 'rest.of.it.ogg', sha256: 'd' },
  ]);
});

test('UI-267: several are one ZIP with their bytes as they are', async () => {
  const files = [
    { name: 'Con - Live/01 Zombie.ogg', blob: new Blob(['one']) },
    { name: 'Con - Live/02 Käse.ogg', blob: new Blob(['two']) },
  ];
  const entries = await new ZipReader(new BlobReader(await zipOf(files))).getEntries();
  const texts = entries.map(async (entry) => ('getData' in entry ? entry.getData?.(new TextWriter()) : undefined));
  expect(entries.map(({ filename }) => filename)).toEqual(files.map(({ name }) => name));
  expect(await Promise.all(texts)).toEqual(['one', 'two']);
});
