import { expect, test } from 'vitest';
import { VorbisDecoder } from '#adapters/media/vorbis/decoder.ts';
import type { OggPage } from '#adapters/media/ogg/ogg-vorbis.ts';
import { codebookHeaders } from '../../fixtures/vorbis-codebook.ts';

function pageOf(packets: Uint8Array[]): Pick<OggPage, 'packets'> {
  return { packets: packets.map((bytes) => ({ bytes, ends: true })) };
}

async function problemWith(log: number): Promise<string | null> {
  const decoder = await VorbisDecoder.open(() => undefined);
  decoder.take(pageOf(codebookHeaders(log)));
  return decoder.problem;
}

test('MEDIA-58 a codebook of 32,768 entries fits into the stack of the decoder', async () => {
  expect(await problemWith(15)).toBeNull();
});

test('MEDIA-58 one that fits nowhere is a fault of the file, and no more of it is decoded', async () => {
  const decoder = await VorbisDecoder.open(() => undefined);
  decoder.take(pageOf(codebookHeaders(19)));
  decoder.take(pageOf([Uint8Array.of(0)]));
  expect(decoder.problem).toMatch(/^header 3 breaks the decoder off \(.+\)$/);
  expect(decoder.samples).toBe(0);
});
