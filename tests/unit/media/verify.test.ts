import { beforeAll, describe, expect, it } from 'vitest';
import { joinBytes as joined } from '#core/ingest/bytes.ts';
import { retagged } from '#adapters/media/ogg/ogg-retag.ts';
import { verifyOutput, type Expected } from '#adapters/media/verify.ts';
import { cutFile, makeAudio, scratchFile } from '../../fixtures/audio.ts';
import { makeCover } from '../../fixtures/cover.ts';

const COVER = makeCover(2);
const EXPECTED: Expected = { samples: 8_000 * 12, tags: { TITLE: 'x' }, cover: COVER };

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('verification of an output', () => {
  let good: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    const bytes = await makeAudio({ format: 'ogg', seconds: 12 });
    good = joined(await Array.fromAsync(retagged(inPieces(bytes, 1000), EXPECTED.tags, EXPECTED.cover)));
  });

  it('MEDIA-5: a good one passes and says what was checked', async () => {
    expect(await verifyOutput(new Blob([good]), EXPECTED)).toMatchObject({
      verified: [
        'checksums of all pages',
        'length 96000 samples',
        'tags 1 read back',
        `cover image/png ${COVER.bytes.length} bytes read back`,
        'decodes without error',
      ],
    });
  });

  it.each([
    ['cut', (bytes: Uint8Array<ArrayBuffer>) => cutFile(bytes, 0.7), /its end is missing|page/],
    ['scratched', (bytes: Uint8Array<ArrayBuffer>) => scratchFile(bytes, 0.7, 10), /CRC|page/],
    ['padded', (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array([...bytes, 0, 0, 0, 0]), /page/],
  ])('MEDIA-5: a %s one does not', async (_, harm, words) => {
    expect(await verifyOutput(new Blob([harm(good)]), EXPECTED)).toMatch(words);
  });

  it('MEDIA-5: neither does a wrong length, a lost tag, a foreign tag or a lost cover', async () => {
    expect(await verifyOutput(new Blob([good]), { ...EXPECTED, samples: 8_000 * 11 })).toBe(
      'it is 96000 samples long, the source 88000',
    );
    expect(await verifyOutput(new Blob([good]), { ...EXPECTED, tags: { TITLE: 'x', ARTIST: 'y' } })).toBe(
      'the tag ARTIST does not read back',
    );
    expect(await verifyOutput(new Blob([good]), { ...EXPECTED, tags: { TITLE: 'other' } })).toBe(
      'the tag TITLE does not read back',
    );
    expect(await verifyOutput(new Blob([good]), { ...EXPECTED, tags: {} })).toBe(
      'it has a tag that nobody asked for (TITLE)',
    );
    expect(await verifyOutput(new Blob([good]), { ...EXPECTED, cover: makeCover(3) })).toBe(
      'the cover does not read back',
    );
  });
});
