import { describe, expect, it } from 'vitest';
import { probeBlob } from '#adapters/media/probe.ts';
import { cutFile, extensionOf, makeAudio, makeGarbage, makeZip, type AudioFormat } from '../../fixtures/audio.ts';
import { makeCover } from '../../fixtures/cover.ts';

async function refusal(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<{ code: string; message: string }> {
  const probed = await probeBlob(new Blob([bytes]), name);
  return probed.ok ? { code: 'ok', message: JSON.stringify(probed.value) } : probed.failure;
}

/** What the message says of a file of 3:20 of which a third was copied. */
const CUT: [AudioFormat, RegExp][] = [
  ['mp3', /1:0\d of 3:20 are there/],
  ['mp3-vbr', /1:0\d of 3:20 are there/],
  ['flac', /1:0\d of 3:20 are there/],
  ['wav', /1:0\d of 3:20 are there/],
  ['aiff', /1:0\d of 3:20 are there/],
  ['wma', /1:0\d of 3:20 are there/],
  ['m4a', /its index \(the moov box\) is missing/],
  ['alac', /its index \(the moov box\) is missing/],
  ['ogg', /it ends in the middle of a page/],
  ['opus', /it ends in the middle of a page/],
];

describe('files that are not whole', () => {
  it.each(CUT)('MEDIA-3, MEDIA-69: %s cut in the middle', async (format, words) => {
    const bytes = await makeAudio({ format, seconds: 200.5, seed: 3 });
    const name = `in "quotes".${extensionOf(format)}`;
    const { code, message } = await refusal(cutFile(bytes, 1 / 3), name);
    expect(code).toBe('file_damaged');
    expect(message).toContain(`"${name}" is cut off`);
    expect(message).toMatch(words);
  });

  it('MEDIA-3: an MP4 with its index in front, cut', async () => {
    const encoder = ['-c:a', 'aac', '-b:a', '24k', '-movflags', '+faststart'];
    const bytes = await makeAudio({ format: 'm4a', seconds: 200.5, encoder });
    expect((await refusal(cutFile(bytes, 0.5), 'x.m4a')).message).toMatch(/cut off: 1:\d\d of 3:20 are there/);
  });

  it('MEDIA-3: what is missing by less than 1 % and a second is let pass', async () => {
    const bytes = await makeAudio({ format: 'flac', seconds: 200.5, seed: 3 });
    const probed = await probeBlob(new Blob([bytes.slice(0, bytes.length - 9_000)]), 'x.flac');
    expect(probed).toMatchObject({ ok: true });
    expect(probed.ok && probed.value.duration_ms).toBeLessThan(200_500);
  });

  it('MEDIA-3, MEDIA-69: an MP3 without a header of its length is as long as it is', async () => {
    const bytes = await makeAudio({ format: 'mp3-noxing', seconds: 200.5, seed: 3 });
    const probed = await probeBlob(new Blob([cutFile(bytes, 0.5)]), 'x.mp3');
    expect(probed.ok && Math.abs((probed.value.duration_ms ?? 0) - 100_300)).toBeLessThan(300);
  });

  it('MEDIA-68 a file of no bytes is empty', async () => {
    expect(await refusal(new Uint8Array(0), 'x.mp3')).toMatchObject({ code: 'file_empty' });
  });
});

describe('files that are something else', () => {
  it.each([1, 2, 3])('MEDIA-2, MEDIA-68: garbage %i has no sound in it', async (seed) => {
    const { code, message } = await refusal(makeGarbage(200_000, seed), 'noise.mp3');
    expect(code).toBe('file_damaged');
    expect(message).toContain('"noise.mp3" could not be read as audio');
  });

  it('MEDIA-2: the beginning of a FLAC with garbage behind', async () => {
    const flac = await makeAudio({ format: 'flac', seconds: 20 });
    const bytes = new Uint8Array(60_000);
    bytes.set(makeGarbage(60_000));
    bytes.set(flac.subarray(0, 42));
    expect(await refusal(bytes, 'x.flac')).toMatchObject({ code: 'file_damaged' });
  });

  it('MEDIA-2, MEDIA-68: a ZIP, a picture and a text are named for what they are', async () => {
    const zip = await makeZip({ 'a.txt': 'hello' });
    expect((await refusal(zip, 'x.mp3')).message).toBe('"x.mp3" is not audio but a ZIP archive.');
    expect(await refusal(makeCover(1).bytes, 'x.flac')).toMatchObject({ code: 'file_mislabelled' });
    const text = new TextEncoder().encode('This is no music.\n'.repeat(50));
    expect((await refusal(new Uint8Array(text), 'x.wav')).message).toContain('not audio but a text');
  });

  it('MEDIA-2: an MP3 that is called .flac is an MP3', async () => {
    const bytes = await makeAudio({ format: 'mp3', seconds: 20 });
    expect(await probeBlob(new Blob([bytes]), 'x.flac')).toMatchObject({ ok: true, value: { codec: 'mp3' } });
  });

  it('MEDIA-2: junk before and after the frames of an MP3 does not count', async () => {
    const bytes = await makeAudio({ format: 'mp3-noxing', seconds: 20 });
    const junk = makeGarbage(3_000, 5);
    const probed = await probeBlob(new Blob([junk, bytes, junk]), 'x.mp3');
    expect(probed.ok && Math.abs((probed.value.duration_ms ?? 0) - 20_100)).toBeLessThan(200);
  });
});
