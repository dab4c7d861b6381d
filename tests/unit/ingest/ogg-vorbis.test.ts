import { describe, expect, test } from 'vitest';
import { OggVorbisReader, type OggVorbisInfo } from '#adapters/media/ogg/ogg-vorbis.ts';
import type { Result } from '#core/result.ts';
import { makeAudio } from '../../fixtures/audio.ts';
import { oggPage, vorbisFile } from '../../fixtures/vorbis-file.ts';

/** Reads the bytes in pieces of this size. */
function read(bytes: Uint8Array, piece = bytes.length || 1): Result<OggVorbisInfo> {
  const reader = new OggVorbisReader('x.ogg');
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  return reader.finish();
}

function reason(bytes: Uint8Array): string {
  const result = read(bytes);
  if (result.ok) throw new Error('it was taken');
  expect(result.failure).toMatchObject({ code: 'not_vorbis', subject: 'x.ogg' });
  return result.failure.message;
}

describe('OggVorbisReader', () => {
  test('VORBIS-1: reads length, format and comments of a real encoder, however the file is cut into pieces', async () => {
    const bytes = await makeAudio({ format: 'ogg', seconds: 3.5, tags: { title: 'Tést', artist: '東京' } });
    const whole = read(bytes);
    expect(whole).toMatchObject({
      ok: true,
      value: { sample_rate: 8000, channels: 1, duration_ms: 3500, samples: 28_000, size: bytes.length },
    });
    if (whole.ok) expect(whole.value.comments).toMatchObject({ TITLE: ['Tést'], ARTIST: ['東京'] });
    for (const piece of [1, 7, 4096]) expect(read(bytes, piece)).toEqual(whole);
  });

  test('VORBIS-2: other streams in Ogg are not Vorbis', async () => {
    expect(reason(await makeAudio({ format: 'opus', seconds: 1 }))).toContain('the stream in it is not Vorbis');
    expect(reason(await makeAudio({ format: 'flac', seconds: 1 }))).toContain('no Ogg page at byte 0');
  });

  test('VORBIS-3: a file cut anywhere is found out', () => {
    const { bytes } = vorbisFile({ durationMs: 5000 });
    for (let end = 0; end < bytes.length; end += 13)
      expect(reason(bytes.slice(0, end)), String(end)).toMatch(/empty|ends within|end is missing/);
    expect(read(bytes).ok).toBe(true);
  });

  test('VORBIS-3: a changed bit anywhere is found out', () => {
    const { bytes } = vorbisFile({ durationMs: 3000 });
    for (let at = 0; at < bytes.length; at += 3) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      expect(read(changed).ok, String(at)).toBe(false);
    }
  });

  test('VORBIS-3: a missing page, a second stream and anything behind the end are found out', () => {
    const one = vorbisFile({ durationMs: 3000 }).bytes;
    const second = oggPage({ serial: 5, sequence: 3, flags: 0, granule: 0n, packets: [new Uint8Array(10)] });
    const pages = splitPages(one);
    expect(reason(Buffer.concat(pages.filter((_, at) => at !== 2)))).toContain('page 2 is missing');
    expect(reason(Buffer.concat([...pages.slice(0, 3), second, ...pages.slice(3)]))).toContain('a second stream');
    expect(reason(Buffer.concat([one, one]))).toContain('something follows');
    expect(reason(Buffer.concat(pages.slice(1)))).toContain('does not begin with the first page');
  });

  test('VORBIS-1: a cover in the comments may span many pages, and names cannot reach the prototype', () => {
    const cover = 'A'.repeat(300_000);
    const result = read(
      vorbisFile({ durationMs: 1000, comments: { METADATA_BLOCK_PICTURE: cover, __proto__x: '1', title: 'a=b' } })
        .bytes,
      1000,
    );
    expect(result).toMatchObject({
      ok: true,
      value: { comments: { METADATA_BLOCK_PICTURE: [cover], TITLE: ['a=b'] } },
    });
    const hostile = read(
      vorbisFile({
        durationMs: 1000,
        comments: Object.fromEntries([
          ['__PROTO__', 'x'],
          ['CONSTRUCTOR', 'y'],
        ]),
      }).bytes,
    );
    expect(hostile.ok && hostile.value.comments['__PROTO__']).toEqual(['x']);
  });
});

function splitPages(bytes: Uint8Array): Uint8Array[] {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at += 1)
    if (Buffer.from(bytes.subarray(at, at + 4)).toString('latin1') === 'OggS') starts.push(at);
  return starts.map((start, at) => bytes.subarray(start, starts[at + 1] ?? bytes.length));
}
