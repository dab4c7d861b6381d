import { expect, test } from 'vitest';
import { openArchive } from '#adapters/media/archive/open.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { CountedBlob } from '../../fixtures/counted-blob.ts';
import { flac, text } from '../../fixtures/heads.ts';
import { MemoryBlobStore } from '../../fixtures/memory-blobs.ts';
import { dropped, StageBench } from '../../fixtures/stage.ts';
import { zipOf } from '../../fixtures/zip.ts';

const options = { name: 'a.zip', limits: archiveLimits(DEFAULT_SETTINGS) };

test('STAGE-43 an archive that cannot be listed is refused before anything of it is stored', async () => {
  const whole = zipOf([{ name: '1.flac', data: flac(1) }]);
  for (const bytes of [whole.slice(0, 500), zipOf([])]) {
    const blobs = new MemoryBlobStore();
    let stored = 0;
    const keep = blobs.keep.bind(blobs);
    blobs.keep = (...args) => {
      stored += 1;
      return keep(...args);
    };
    const bench = new StageBench({}, blobs);
    const batch = await bench.drop([dropped('x.zip', bytes)]);
    expect((await bench.rows(batch.id)).map((row) => row.split(':', 2))).toEqual([
      ['x.zip', expect.stringMatching(/^ archive_(truncated|empty)$/)],
    ]);
    expect(stored).toBe(0);
  }
});

test('STAGE-65 headers and small files of a ZIP come by pages, many with one read, and a large file in slices of the archive', async () => {
  const small = Array.from({ length: 100 }, (_, n) => ({ name: `${n}.txt`, data: text(`file ${n}`) }));
  const large = { name: 'large.bin', data: new Uint8Array(2 * 1024 ** 2).map((_, i) => i % 251) };
  const blob = new CountedBlob([zipOf([...small, large])]);
  const opened = await openArchive(blob, options);
  const reads = async (from: number, to: number): Promise<{ reads: number; longest: number }> => {
    const before = blob.reads.length;
    for (const item of opened.items.slice(from, to)) {
      if (!item.ok) throw new Error(item.failure.message);
      for await (const piece of item.chunks()) expect(piece.length).toBeGreaterThan(0);
    }
    const sizes = blob.reads.slice(before);
    return { reads: sizes.length, longest: Math.max(0, ...sizes) };
  };
  // A hundred files and their headers are within a few pages.
  expect(blob.reads.length).toBeLessThan(10);
  expect((await reads(0, 100)).reads).toBeLessThan(10);
  expect((await reads(100, 101)).longest).toBe(large.data.length);
  await opened.close();
});
