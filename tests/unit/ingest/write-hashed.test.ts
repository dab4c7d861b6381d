import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { platformDigest } from '#adapters/browser/blobs/blob-store-opfs.ts';
import { writeHashed } from '#core/ingest/write-hashed.ts';

const MIB = 1024 ** 2;
const platform = platformDigest();
const digest = platform === undefined ? undefined : { ...platform, most: 4 * MIB };

async function* pieces(size: number, piece: number): AsyncGenerator<Uint8Array> {
  // One buffer for all, as readers may do it.
  const buffer = new Uint8Array(piece);
  for (let at = 0; at < size; at += piece) {
    buffer.fill(at / piece);
    yield buffer.subarray(0, Math.min(piece, size - at));
  }
}

test.each([
  ['nothing', 0, 10],
  ['a small file', 5000, 700],
  ['several buffers of growth', 3 * MIB, MIB / 2],
  ['what just fits', 4 * MIB, MIB],
  ['what is too large to be kept', 4 * MIB + 1, MIB],
])('STAGE-2, STAGE-44 the hash of a file is the same by whichever way: %s', async (_, size, piece) => {
  const expected = createHash('sha256');
  for await (const chunk of pieces(size, piece)) expected.update(chunk);
  const sha256 = expected.digest('hex');
  let written = 0;
  const write = (chunk: Uint8Array, at: number): void => {
    expect(at).toBe(written);
    written += chunk.length;
  };
  expect(await writeHashed(pieces(size, piece), write, { digestWhole: digest })).toEqual({ sha256, size });
  expect(written).toBe(size);
  written = 0;
  expect(await writeHashed(pieces(size, piece), write, { digestWhole: digest, expected: 5 * MIB })).toEqual({
    sha256,
    size,
  });
});

test('two files at once do not share a buffer', async () => {
  const both = [1, 2].map((n) => writeHashed(pieces(3 * MIB, n * 1000), () => undefined, { digestWhole: digest }));
  const alone = [1, 2].map((n) => writeHashed(pieces(3 * MIB, n * 1000), () => undefined));
  expect(await Promise.all(both)).toEqual(await Promise.all(alone));
});
