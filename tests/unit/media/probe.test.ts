import { beforeAll, describe, expect, it } from 'vitest';
import { readByDecoding } from '#adapters/media/headers/decode.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import type { FileTags } from '#core/media.ts';
import { extensionOf, makeAudio, type AudioFormat } from '../../fixtures/audio.ts';
import { makeCover } from '../../fixtures/cover.ts';

const TAGS: FileTags = {
  title: 'Tïtle = ; # \\ x\nsecond line',
  artist: 'Björk & Σωκράτης',
  album: 'アルバム',
  albumartist: 'Various',
  track: 3,
  tracktotal: 12,
  disc: 1,
  disctotal: 2,
  year: 1997,
  genre: 'Rock',
  compilation: true,
};
const IDS = {
  MUSICBRAINZ_ALBUMID: '0b6b4ba0-d36f-47bd-b4ea-6a5b91842d29',
  ISRC: 'GBAYE9700119',
  BARCODE: '724385522925',
};
const EXPECTED_IDS = {
  musicbrainz_albumid: IDS.MUSICBRAINZ_ALBUMID,
  isrc: IDS.ISRC,
  barcode: IDS.BARCODE,
};
const COVER = makeCover(5);

/** What the fixture's writer can put into each container. WAV's INFO has no album artist, disc or barcode. */
const WAV_TAGS: FileTags = { ...TAGS };
for (const key of ['albumartist', 'disc', 'disctotal', 'compilation'] as const) delete WAV_TAGS[key];

interface Row {
  format: AudioFormat;
  codec: string;
  container: string;
  lossless: boolean;
  tags?: FileTags;
  ids?: Record<string, string> | null;
  cover?: boolean;
}

const ROWS: Row[] = [
  { format: 'mp3', codec: 'mp3', container: 'mp3', lossless: false },
  { format: 'mp3-vbr', codec: 'mp3', container: 'mp3', lossless: false },
  { format: 'mp3-noxing', codec: 'mp3', container: 'mp3', lossless: false },
  { format: 'flac', codec: 'flac', container: 'flac', lossless: true },
  { format: 'm4a', codec: 'aac', container: 'mp4', lossless: false, ids: null },
  { format: 'alac', codec: 'alac', container: 'mp4', lossless: true, ids: null },
  { format: 'ogg', codec: 'vorbis', container: 'ogg', lossless: false },
  { format: 'opus', codec: 'opus', container: 'ogg', lossless: false },
  {
    format: 'wav',
    codec: 'pcm_s16le',
    container: 'wav',
    lossless: true,
    tags: WAV_TAGS,
    ids: { isrc: IDS.ISRC },
    cover: false,
  },
  { format: 'aiff', codec: 'pcm_s16be', container: 'aiff', lossless: true },
  { format: 'wma', codec: 'wmav2', container: 'asf', lossless: false, cover: false },
];

describe.each(ROWS)(
  'probe of $format',
  ({ format, codec, container, lossless, tags = TAGS, ids = EXPECTED_IDS, cover = true }) => {
    const name = `x.${extensionOf(format)}`;
    let blob: Blob;
    beforeAll(async () => {
      const options = { format, seconds: 3.7, sampleRate: 44_100, channels: 2, tags: TAGS, rawTags: IDS, cover: COVER };
      blob = new Blob([await makeAudio(options)]);
    });

    it('MEDIA-1, MEDIA-67: length within 50 ms of a full decode; codec, rate, channels', async () => {
      const probed = await probeBlob(blob, name);
      if (!probed.ok) throw new Error(probed.failure.message);
      const { value } = probed;
      expect(value).toMatchObject({
        codec,
        container,
        lossless,
        channels: 2,
        sample_rate: format === 'opus' ? 48_000 : 44_100,
      });
      const decoded = await readByDecoding(blob, name);
      expect(Math.abs((value.duration_ms ?? 0) - (decoded.header?.duration_ms ?? 0))).toBeLessThanOrEqual(50);
      expect(value.bitrate).toBeGreaterThan(8_000);
    });

    it('MEDIA-4: tags, identifiers and cover in the one form', async () => {
      const probed = await probeBlob(blob, name);
      if (!probed.ok) throw new Error(probed.failure.message);
      const { external_ids, ...rest } = probed.value.tags;
      expect(rest).toEqual(tags);
      expect(external_ids).toEqual(ids ?? undefined);
      expect(probed.value.cover).toEqual(cover ? { bytes: COVER.bytes, mime: 'image/png' } : null);
    });
  },
);

describe('probe of minutes', () => {
  it.each(['mp3', 'mp3-vbr', 'mp3-noxing', 'flac', 'opus'] as const)('MEDIA-1: %s of 4:03.2', async (format) => {
    const blob = new Blob([await makeAudio({ format, seconds: 243.2, seed: 9 })]);
    const probed = await probeBlob(blob, `x.${extensionOf(format)}`);
    // An MP3 without a Xing header does not say what is encoder delay: up to two frames more are there.
    const slack = format === 'mp3-noxing' ? 200 : 50;
    expect(Math.abs((probed.ok ? (probed.value.duration_ms ?? 0) : 0) - 243_200)).toBeLessThanOrEqual(slack);
  });

  it('MEDIA-1, MEDIA-66: raw AAC and WavPack, by their frames', async () => {
    const adts = await makeAudio({
      format: 'm4a',
      seconds: 5,
      sampleRate: 44_100,
      encoder: ['-c:a', 'aac', '-f', 'adts'],
    });
    const wavpack = await makeAudio({ format: 'wav', seconds: 5, encoder: ['-c:a', 'wavpack', '-f', 'wv'] });
    expect(await probeBlob(new Blob([adts]), 'x.aac')).toMatchObject({
      ok: true,
      value: { codec: 'aac', container: 'aac' },
    });
    expect(await probeBlob(new Blob([wavpack]), 'x.wv')).toMatchObject({
      ok: true,
      value: { codec: 'wavpack', duration_ms: 5000, lossless: true },
    });
  });

  it('MEDIA-1: an MP4 without an edit list, one in fragments and 96 kHz ALAC', async () => {
    const fragments = ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'];
    const fragmented = await makeAudio({ format: 'm4a', seconds: 5, sampleRate: 44_100, encoder: fragments });
    const plain = await makeAudio({
      format: 'm4a',
      seconds: 5,
      sampleRate: 44_100,
      encoder: ['-c:a', 'aac', '-use_editlist', '0'],
    });
    const alac = await makeAudio({ format: 'alac', seconds: 2, sampleRate: 96_000, channels: 2 });
    for (const bytes of [fragmented, plain]) {
      const probed = await probeBlob(new Blob([bytes]), 'x.m4a');
      expect(Math.abs((probed.ok ? (probed.value.duration_ms ?? 0) : 0) - 5000)).toBeLessThanOrEqual(50);
    }
    expect(await probeBlob(new Blob([alac]), 'x.m4a')).toMatchObject({
      ok: true,
      value: { sample_rate: 96_000, channels: 2, duration_ms: 2000 },
    });
  });
});
