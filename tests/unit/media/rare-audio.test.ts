import { describe, expect, test } from 'vitest';
import { probeBlob } from '#adapters/media/probe.ts';
import { transcodeBlob } from '#adapters/media/transcode.ts';
import { outputStore } from '../../fixtures/output-store.ts';
import { apeOf, dffOf, dsfOf, MUSEPACK, realAudioOf } from '../../fixtures/rare-audio.ts';

const TAGS = { Title: 'First Light', Artist: 'The Testers', Track: '3' };
const KINDS = [
  [
    'x.ape',
    apeOf(10, TAGS),
    {
      codec: 'ape',
      lossless: true,
      duration_ms: 10_000,
      sample_rate: 44_100,
      channels: 2,
      tags: { title: 'First Light', artist: 'The Testers', track: 3 },
    },
  ],
  [
    'x.dsf',
    dsfOf(0.2),
    { codec: 'dsd_lsbf_planar', lossless: true, duration_ms: 200, sample_rate: 352_800, channels: 2 },
  ],
  ['x.dff', dffOf(0.2), { codec: 'dsd_msbf', lossless: true, duration_ms: 200, sample_rate: 352_800, channels: 2 }],
  [
    'x.mpc',
    MUSEPACK,
    {
      codec: 'musepack8',
      lossless: false,
      duration_ms: 522,
      sample_rate: 44_100,
      channels: 2,
      tags: { title: 'Tiny', artist: 'Testers' },
    },
  ],
  ['x.ra', realAudioOf(3), { codec: 'ra_144', lossless: false, duration_ms: 3000, sample_rate: 8000, channels: 1 }],
] as const;

describe("STAGE-118 Monkey's Audio, DSD, Musepack and RealAudio are read and converted by the ffmpeg core", () => {
  test.each(KINDS)('%s', async (name, bytes, facts) => {
    const input = new Blob([bytes]);
    const probed = await probeBlob(input, name);
    expect(probed).toMatchObject({ ok: true, value: facts });
    if (!probed.ok) return;
    const { duration_ms: durationMs, sample_rate: sampleRate, channels } = probed.value;
    const made = await transcodeBlob(
      { input, name, quality: 9, tags: {}, sampleRate, channels, durationMs },
      outputStore(),
    );
    expect(made).toMatchObject({
      ok: true,
      value: { conversion_reason: expect.stringMatching(`^${facts.codec} .*vorbis`) },
    });
    if (made.ok) expect(Math.abs(made.value.duration_ms - facts.duration_ms)).toBeLessThanOrEqual(50);
  });

  test('MEDIA-3 a cut one is refused with how much is there', async () => {
    const ape = await probeBlob(new Blob([apeOf(30).slice(0, -24)]), 'x.ape');
    expect(ape).toMatchObject({ ok: false, failure: { code: 'file_damaged' } });
    const dsf = await probeBlob(new Blob([dsfOf(4).slice(0, 1_500_000)]), 'x.dsf');
    expect(dsf).toMatchObject({ ok: false, failure: { message: '"x.dsf" is cut off: 0:02 of 0:04 are there.' } });
  });
});
