import { expect } from '@playwright/test';
import { parseBuffer } from 'music-metadata';
import { openFfmpeg } from '#adapters/media/ffmpeg-core.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { Api } from './api.ts';

/**
 * What is served is as long as the source within this, in milliseconds: encoders pad, and an MP3 without an index keeps
 * its encoder's delay, two to three frames of 72 ms at the 8 kHz of the fixtures.
 */
const LENGTH_TOLERANCE_MS = 220;
/** Decoded to this, so that bytes are time. */
const DECODED_RATE = 8000;

/**
 * Fetches the track's audio as a listener would and holds it against the catalog: it is Ogg Vorbis, decodes without
 * a complaint to the source's length, and its tags are the catalog's.
 */
export async function expectServed(api: Api, album: { title: string }, track: Track, sourceMs: number): Promise<void> {
  const bytes = await api.bytes(`/v1/catalog/tracks/${track.id}/audio`);
  const { format, common } = await parseBuffer(bytes, { mimeType: 'audio/ogg', size: bytes.length });
  expect(format.codec, `${track.title}: codec`).toMatch(/vorbis/i);
  expect(common.title).toBe(track.title);
  expect(common.artist).toBe(track.artist);
  expect(common.album).toBe(album.title);
  expect(common.track.no).toBe(track.position);

  const decoded = await openFfmpeg().run(
    ['-v', 'error', '-i', 'in.ogg', '-ac', '1', '-ar', String(DECODED_RATE), '-f', 's16le', 'out.pcm'],
    { inputs: [{ name: 'in.ogg', data: bytes }], outputs: ['out.pcm'] },
  );
  expect(decoded.code, decoded.log.join('\n')).toBe(0);
  expect(decoded.decodeErrors).toBe(0);
  const ms = ((decoded.outputs.get('out.pcm')?.length ?? 0) / 2 / DECODED_RATE) * 1000;
  expect(Math.abs(ms - sourceMs), `${track.title}: ${ms} ms, source ${sourceMs} ms`).toBeLessThan(LENGTH_TOLERANCE_MS);
}
