import { describe, expect, test } from 'vitest';
import { probeBlob } from '#adapters/media/probe.ts';
import { cutFile, makeGarbage, makeZip } from '../../fixtures/audio.ts';
import { AUDIO_SET, makeEntry, type SetEntry } from '../../fixtures/audio-set.ts';
import { makeCover } from '../../fixtures/cover.ts';

const SECONDS = 30.5;

async function reading(parts: BlobPart[], name: string): Promise<string> {
  const probed = await probeBlob(new Blob(parts), name);
  if (!probed.ok) return `${probed.failure.code}: ${probed.failure.message}`;
  const { container, codec, duration_ms, notes } = probed.value;
  return [`${container}/${codec} ${Math.round((duration_ms ?? 0) / 1000)} s`, ...(notes ?? [])].join('. ');
}

/** What is said of a file of which a third was copied; of the rest it is how much is there. */
const CUT: Record<string, RegExp> = {
  'aac.m4a': /its index \(the moov box\) is missing/,
  'alac.m4a': /its index \(the moov box\) is missing/,
  'x.ogg': /it ends in the middle of a page/,
  'x.opus': /it ends in the middle of a page/,
  'flac.oga': /it ends in the middle of a page/,
  'alac.caf': /it ends before the table of its packets/,
};
/** Nothing in these says how long they were. */
const UNPROMISED = ['no xing.mp3', 'x.aac', 'x.ac3', 'fragments.m4a'];

const [entries, bytesOf] = [AUDIO_SET, (entry: SetEntry) => makeEntry(entry, SECONDS)];

describe.each(entries)('$name', (entry) => {
  const { name, container, codec } = entry;
  const whole = new RegExp(`^${container}/${codec} 3[01] s$`);

  test('MEDIA-42 cut: refused with how much is there, or taken for what is there, and that is told', async () => {
    const said = await reading([cutFile(await bytesOf(entry), 0.3337)], name);
    if (UNPROMISED.includes(name)) {
      expect(said).toMatch(
        new RegExp(`^${container}/${codec} 10 s. It ends in the middle of a frame and nothing in it`),
      );
      return;
    }
    expect(said).toContain(`file_damaged: "${name}" is cut off: `);
    expect(said).toMatch(CUT[name] ?? /0:(0[789]|1[01]) of 0:3[01] are there/);
  });

  test('MEDIA-43 padded: zeros, junk and an ID3v1 tag behind the sound change nothing', async () => {
    const bytes = await bytesOf(entry);
    const id3v1 = new Uint8Array(128);
    id3v1.set(new TextEncoder().encode('TAGCordage'));
    for (const padding of [new Uint8Array(60_000), makeGarbage(60_000, 3), id3v1])
      expect(await reading([bytes, padding], name)).toMatch(whole);
  });

  test('MEDIA-2 mislabelled: it is what its content says', async () => {
    const bytes = await bytesOf(entry);
    for (const other of ['x.mp3', 'x.flac', 'x.wav']) expect(await reading([bytes], other)).toMatch(whole);
  });
});

describe('beginnings', () => {
  test.each(['cbr.mp3', 'no xing.mp3', 'x.flac'])('MEDIA-43 zeros before %s are passed over', async (name) => {
    const entry = entries.find((one) => one.name === name);
    if (!entry) throw new Error('no such file');
    const said = await reading([new Uint8Array(5_000), await bytesOf(entry)], name);
    expect(said).toMatch(new RegExp(`^${entry.container}/${entry.codec} 3[01] s$`));
  });

  test.each([
    ['x.wav', 'WAV'],
    ['aac.m4a', 'MP4 audio'],
    ['x.wma', 'Windows Media audio'],
  ])('MEDIA-43 zeros before %s are said', async (name, label) => {
    const entry = entries.find((one) => one.name === name);
    if (!entry) throw new Error('no such file');
    const said = await reading([new Uint8Array(5_000), await bytesOf(entry)], name);
    expect(said).toMatch(
      new RegExp(`^file_damaged: "${name}" could not be read as audio: 5000 zero bytes stand before its ${label}.$`),
    );
  });

  test('MEDIA-43 a file of zeros is said to be one', async () => {
    expect(await reading([new Uint8Array(9_000)], 'x.mp3')).toContain('it is nothing but zeros');
  });
});

describe('what is no audio', () => {
  const text = (words: string): Promise<Uint8Array<ArrayBuffer>> => Promise.resolve(new TextEncoder().encode(words));
  const OTHERS: [string, () => Promise<Uint8Array<ArrayBuffer>>][] = [
    ['an HTML page', () => text('<!DOCTYPE html><html><body>404 Not Found</body></html>')],
    ['an XML document', () => text('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')],
    ['a text file', () => text('{"error":"not found"}')],
    ['a PDF document', () => text('%PDF-1.7\n1 0 obj')],
    ['a PNG picture', () => Promise.resolve(makeCover(1).bytes)],
    ['a ZIP archive', () => makeZip({ 'a.txt': 'hello' })],
  ];

  test.each(OTHERS)('MEDIA-2 %s under every audio name is named for what it is', async (label, make) => {
    const bytes = await make();
    for (const { name } of entries)
      expect(await reading([bytes], name)).toBe(`file_mislabelled: "${name}" is not audio but ${label}.`);
  });
});
