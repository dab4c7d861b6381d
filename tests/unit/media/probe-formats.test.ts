import { describe, expect, test } from 'vitest';
import { readByDecoding } from '#adapters/media/headers/decode.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import { AUDIO_SET, makeEntry } from '../../fixtures/audio-set.ts';

/** Counts the bytes that are read of it. */
class CountedBlob extends Blob {
  read = 0;
  override slice(start = 0, end = this.size, type?: string): Blob {
    const part = super.slice(start, end, type);
    this.read += part.size;
    return part;
  }
}

const TAGS = { title: 'Cordage', artist: 'The Mooring Lines', album: 'Harbour Songs', track: 3, year: 1997 };
/** What has no place for tags, or none that ffmpeg writes. */
const UNTAGGED = ['x.aac', 'x.ac3', 'x.w64'];

describe.each(AUDIO_SET)('probe of $name', (entry) => {
  const { name, codec, container } = entry;

  test('MEDIA-40 codec and length as a full decode says, tags in the one form', async () => {
    const blob = new Blob([await makeEntry(entry, 3.7, TAGS)]);
    const probed = await probeBlob(blob, name);
    if (!probed.ok) throw new Error(probed.failure.message);
    const decoded = await readByDecoding(blob, name);
    expect(probed.value).toMatchObject({ codec, container });
    expect(decoded.header).toMatchObject({
      codec,
      sample_rate: probed.value.sample_rate,
      channels: probed.value.channels,
    });
    const off = (probed.value.duration_ms ?? 0) - (decoded.header?.duration_ms ?? 0);
    expect(Math.abs(off), `${off} ms off`).toBeLessThanOrEqual(50);
    expect(probed.value.tags).toEqual(UNTAGGED.includes(name) ? {} : TAGS);
  });

  test('MEDIA-41 of a long file only what is needed is read', async () => {
    const blob = new CountedBlob([await makeEntry(entry, 90)]);
    const probed = await probeBlob(blob, name);
    expect(probed.ok).toBe(true);
    // What is made of frames or small pieces has to be walked once; the rest is heads and tails.
    const walked = ['fragments.m4a', 'no xing.mp3', 'mp3 inside.wav', 'x.aac', 'x.ac3'].includes(name);
    expect(blob.read).toBeLessThan(walked ? blob.size + 400_000 : 500_000);
  });
});
