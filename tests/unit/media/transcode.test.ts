import { parseBuffer } from 'music-metadata';
import { describe, expect, it } from 'vitest';
import { probeBlob } from '#adapters/media/probe.ts';
import { transcodeBlob } from '#adapters/media/transcode.ts';
import type { Transcoded, TranscodeInput } from '#adapters/media/transcode.types.ts';
import { OggVorbisReader, type OggVorbisInfo } from '#adapters/media/ogg/ogg-vorbis.ts';
import { ok, type Result } from '#core/result.ts';
import {
  extensionOf,
  makeAudio,
  makeGarbage,
  scratchFile,
  type AudioFormat,
  type AudioOptions,
} from '../../fixtures/audio.ts';
import { makeCover } from '../../fixtures/cover.ts';
import { outputStore } from '../../fixtures/output-store.ts';

const TAGS = {
  TITLE: 'a = b; c # d \\ e\nsecond line',
  ARTIST: 'Björk & Σωκράτης',
  ALBUM: '  アルバム 🎵 ',
  TRACKNUMBER: '3',
};
const COVER = makeCover(7, 96);

/** With the bytes that then stand in the store. */
interface Output extends Transcoded {
  bytes: Uint8Array<ArrayBuffer>;
}

const store = outputStore();

async function transcode(bytes: Uint8Array<ArrayBuffer>, extra: Partial<TranscodeInput> = {}): Promise<Result<Output>> {
  const input = new Blob([bytes]);
  const name = extra.name ?? 'x';
  const probed = await probeBlob(input, name);
  const { sample_rate = null, channels = null, duration_ms = null } = probed.ok ? probed.value : {};
  const job = { input, name, quality: 9, tags: TAGS, sampleRate: sample_rate, channels, durationMs: duration_ms };
  const result = await transcodeBlob({ ...job, ...extra }, store);
  return result.ok ? ok({ ...result.value, bytes: await store.bytes(result.value) }) : result;
}

/** The same, where it has to work. */
async function transcoded(options: AudioOptions, extra: Partial<TranscodeInput> = {}): Promise<Output> {
  const result = await transcode(await makeAudio(options), { name: `x.${extensionOf(options.format)}`, ...extra });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function readBack(bytes: Uint8Array): OggVorbisInfo {
  const reader = new OggVorbisReader('x');
  reader.push(bytes);
  const result = reader.finish();
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

const asLists = (tags: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, [value]]));

/** Node has no WebCodecs, so only what needs none is fast; with it the fast way is held by tests/e2e/formats.spec.ts. */
const ROWS: [AudioFormat, reason: RegExp][] = [
  ['mp3', /^mp3 \(lossy, \d+ kbit\/s, below target\) -> vorbis q9, by ffmpeg/],
  ['mp3-vbr', /^mp3 \(lossy, \d+ kbit\/s, below target\) -> vorbis q9, by ffmpeg/],
  ['mp3-noxing', /^mp3 \(lossy, \d+ kbit\/s, below target\) -> vorbis q9, by ffmpeg/],
  ['flac', /^flac -> vorbis q9, own decoder, fast$/],
  ['m4a', /^aac \(lossy, \d+ kbit\/s, below target\) -> vorbis q9, by ffmpeg/],
  ['alac', /^alac -> vorbis q9, by ffmpeg/],
  ['ogg', /^kept: vorbis at or under target$/],
  ['opus', /^opus \(lossy, \d+ kbit\/s, below target\) -> vorbis q9, by ffmpeg/],
  ['wav', /^pcm_s16le -> vorbis q9, fast$/],
  ['aiff', /^pcm_s16be -> vorbis q9, by ffmpeg/],
  ['wma', /^wmav2 \(lossy, \d+ kbit\/s, below target\) -> vorbis q9, by ffmpeg/],
];

describe('transcode', () => {
  it.each(ROWS)('MEDIA-5: %s becomes verified Vorbis of the same length', async (format, reason) => {
    const options = {
      format,
      seconds: 3.2,
      sampleRate: 44_100,
      channels: 2,
      cover: makeCover(1),
      tags: { title: 'old', genre: 'old' },
    };
    const result = await transcode(await makeAudio(options), { name: `x.${extensionOf(format)}`, cover: COVER });
    if (!result.ok) throw new Error(result.failure.message);
    const { value } = result;
    expect(value.conversion_reason).toMatch(reason);
    expect(Math.abs(value.duration_ms - 3200)).toBeLessThanOrEqual(60);
    expect(value.verified).toContain('decodes without error');
    const info = readBack(value.bytes);
    expect(info).toMatchObject({ samples: value.samples, duration_ms: value.duration_ms, channels: 2 });
    const { METADATA_BLOCK_PICTURE: picture, ...comments } = info.comments;
    expect(comments).toEqual(asLists(TAGS));
    expect(picture).toHaveLength(1);
    const { common } = await parseBuffer(value.bytes);
    expect(common.picture?.[0]).toMatchObject({ format: 'image/png', type: 'Cover (front)' });
    expect(new Uint8Array(common.picture?.[0]?.data ?? [])).toEqual(COVER.bytes);
  });

  it('MEDIA-5: a lossless source keeps its length to the sample', async () => {
    const { samples } = await transcoded({ format: 'flac', seconds: 2.34567, sampleRate: 44_100, channels: 2 });
    expect(samples).toBe(Math.round(2.34567 * 44_100));
  });

  it('MEDIA-20: what AAC was padded with is not in the output', async () => {
    const { samples } = await transcoded({ format: 'm4a', seconds: 2.345, sampleRate: 44_100, channels: 2 });
    // The edit list of an MP4 counts in milliseconds here.
    expect(Math.abs(samples - 2.345 * 44_100)).toBeLessThanOrEqual(44);
  });

  it('MEDIA-10: the same source gives the same bytes', async () => {
    const options = { format: 'flac', seconds: 2, seed: 4 } as const;
    expect((await transcoded(options)).bytes).toEqual((await transcoded(options)).bytes);
  });

  it('progress goes from 0 to 1 and never back', async () => {
    const shares: number[] = [];
    const input = new Blob([await makeAudio({ format: 'flac', seconds: 30 })]);
    const job = { input, name: 'x.flac', quality: 4, tags: TAGS, sampleRate: 8000, channels: 1, durationMs: 30_000 };
    await transcodeBlob(job, store, (share) => shares.push(share));
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it('MEDIA-6: a cover of megabytes over many header pages, and no tags at all', async () => {
    const cover = { bytes: new Uint8Array([...makeCover(3).bytes, ...makeGarbage(2_000_000)]), mime: 'image/png' };
    const big = await transcoded({ format: 'flac', seconds: 2 }, { cover });
    expect(big.verified).toContain(`cover image/png ${cover.bytes.length} bytes read back`);
    const bare = await transcoded({ format: 'flac', seconds: 2 }, { tags: {} });
    expect(readBack(bare.bytes).comments).toEqual({});
  });

  it('MEDIA-6: names that Vorbis does not allow are repaired, empty values left out', async () => {
    const tags = { 'title=x': 'one', Größe: 'two', EMPTY: '', NUL: 'a\0b' };
    const { bytes } = await transcoded({ format: 'flac', seconds: 2 }, { tags });
    expect(readBack(bytes).comments).toEqual({ TITLEX: ['one'], GRSSE: ['two'], NUL: ['ab'] });
  });
});

describe('Vorbis that comes in', () => {
  it('MEDIA-7: at or under the target only its comments change', async () => {
    const source = await makeAudio({ format: 'ogg', seconds: 5, sampleRate: 44_100, channels: 2 });
    const result = await transcode(source, { name: 'x.ogg', cover: COVER });
    expect(result).toMatchObject({ ok: true, value: { conversion_reason: 'kept: vorbis at or under target' } });
    if (!result.ok) return;
    // The sound of the last page, which the new numbering does not reach.
    expect(result.value.bytes.slice(-500)).toEqual(source.slice(-500));
    expect(result.value.samples).toBe(readBack(source).samples);
  });

  it('MEDIA-7: above the target it is converted', async () => {
    const encoder = ['-c:a', 'libvorbis', '-q:a', '8'];
    const options = { format: 'ogg', seconds: 3, sampleRate: 44_100, channels: 2, encoder } as const;
    const { conversion_reason } = await transcoded(options, { quality: 4 });
    expect(conversion_reason).toMatch(/^vorbis \(lossy, \d+ kbit\/s\) -> vorbis q4, by ffmpeg/);
    expect((await transcoded(options, { quality: 8 })).conversion_reason).toMatch(/^kept/);
  });

  it('MEDIA-7: with a wrong checksum it is not kept as it is', async () => {
    const source = await makeAudio({ format: 'ogg', seconds: 20, sampleRate: 44_100, channels: 2 });
    const result = await transcode(scratchFile(source, 0.5, 40), { name: 'x.ogg' });
    expect(result.ok ? result.value.conversion_reason : result.failure.code).toMatch(/^vorbis \(lossy|^file_damaged$/);
  });
});

describe('sources that Vorbis cannot hold as they are', () => {
  it.each([
    [4_000, 1, 'resampled from 4000 to 8000 Hz'],
    [352_800, 2, 'resampled from 352800 to 176400 Hz'],
    [384_000, 1, 'resampled from 384000 to 192000 Hz'],
  ])('MEDIA-9: %i Hz, %i channels', async (sampleRate, channels, note) => {
    const { conversion_reason, duration_ms } = await transcoded({ format: 'wav', seconds: 1.5, sampleRate, channels });
    expect(conversion_reason).toBe(`pcm_s16le -> vorbis q9, ${note}, by ffmpeg: its rate is ${sampleRate} Hz`);
    expect(duration_ms).toBe(1500);
  });

  it('MEDIA-9: the probe need not know the rate', async () => {
    const { conversion_reason } = await transcoded(
      { format: 'wav', seconds: 1, sampleRate: 384_000 },
      { sampleRate: null, channels: null },
    );
    expect(conversion_reason).toContain('resampled from 384000 to 192000 Hz');
  });
});

it('MEDIA-9: more than eight channels are refused with the reason', async () => {
  const result = await transcode(await makeAudio({ format: 'wav', seconds: 1, channels: 12 }), { name: 'x.wav' });
  expect(result).toMatchObject({ ok: false, failure: { code: 'conversion_failed' } });
  expect(!result.ok && result.failure.message).toBe('"x.wav" has 12 channels; Ogg Vorbis is made of at most 8.');
});

describe('sources that are damaged inside', () => {
  it('MEDIA-8: what decodes much shorter than was probed is damaged', async () => {
    const bytes = await makeAudio({ format: 'mp3', seconds: 60 });
    bytes.fill(0, Math.floor(bytes.length * 0.4));
    const result = await transcode(bytes, { name: 'zeros.mp3', durationMs: 60_000 });
    expect(result).toMatchObject({ ok: false, failure: { code: 'file_damaged' } });
    expect(!result.ok && result.failure.message).toMatch(
      /^"zeros\.mp3" is damaged: only 0:2\d of 1:00 could be decoded/,
    );
  });

  it('MEDIA-8: what decodes much longer than was probed is not believed', async () => {
    const result = await transcode(await makeAudio({ format: 'flac', seconds: 20 }), {
      name: 'x.flac',
      durationMs: 10_000,
    });
    expect(!result.ok && result.failure.message).toBe('"x.flac" says that it is 0:10 long, but 0:20 come out of it.');
  });

  it('MEDIA-8, MEDIA-79: garbage is damaged, and the next file is converted all the same', async () => {
    const result = await transcode(makeGarbage(100_000), { name: 'noise.mp3' });
    expect(result).toMatchObject({ ok: false, failure: { code: 'file_damaged', subject: 'noise.mp3' } });
    expect((await transcoded({ format: 'flac', seconds: 2 })).samples).toBe(16_000);
  });

  it('MEDIA-8: a scratch is let pass and told', async () => {
    const bytes = scratchFile(await makeAudio({ format: 'flac', seconds: 60 }), 0.5, 600);
    const result = await transcode(bytes, { name: 'x.flac' });
    expect(result.ok ? result.value.conversion_reason : result.failure.message).toMatch(
      /decoding errors? in the source/,
    );
  });
});
