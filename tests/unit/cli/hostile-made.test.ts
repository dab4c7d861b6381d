/** Payloads that a hostile row only describes. */
import { expect, test } from 'vitest';
import { payloadsOf, placePayload, type HostileRow } from '#lanes/music/cli/eval/hostile.ts';
import { readMade, takeMade } from '#lanes/music/cli/eval/made.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';

const row = (surface: string, payload: string, payload_gen?: unknown): HostileRow => ({
  ...{ id: 'h', surface, class: 'x', goal: '', payload, expect: [], payload_gen },
});
const file: FileEvidence = { file_id: 'f', path: 'a/01 Song.mp3', duration_ms: 1, tags: { title: 'Song' } };
const taken = async (said: unknown) => {
  const made = readMade(said);
  if (made === null || made.kind === 'texts') throw new Error('no archive');
  return (await takeMade(made))?.code ?? 'read';
};

test('SAFE-24 a text of a unit so often is made, of five billion characters as many as any reader takes', () => {
  expect(payloadsOf(row('id3.title', '', { unit: 'na ', n: 4 }))).toEqual(['na na na na ']);
  expect(payloadsOf(row('id3.title', '', { frames: 3, each: 'x' }))).toEqual(['x', 'x', 'x']);
  expect(payloadsOf(row('id3.title', '', { unit: 'A', n: 5e9 }))[0]).toHaveLength(16_000_000);
  expect(payloadsOf(row('lyrics.uslt', '', { unit: '', n: 5e9 }))).toEqual(['']);
  expect(payloadsOf(row('id3.title', 'as it is'))).toEqual(['as it is']);
});

test('SAFE-24 what an archive row describes is made and goes through the way in, which refuses it by its limits or reads it', async () => {
  expect(await taken({ entry: 'a.mp3', unit: 'ab', n: 1000 })).toBe('read');
  expect(await taken({ entry: '../../a.mp3', unit: 'ab', n: 10 })).toBe('archive_unsafe_name');
  expect(await taken({ entry: 'a.mp3', unit: '\0', n: 300_000_000 })).toBe('archive_limit');
  expect(await taken({ entries: 40, bytes: 1000 })).toBe('read');
  expect(await taken({ entries: 20_000, bytes: 0 })).toBe('archive_limit');
  expect(await taken({ entries: 70_000, bytes: 10 })).toBe('archive_limit');
});

test('SAFE-24 five billion bytes in one entry are made, packed as they are made, and refused before they are read', async () => {
  const before = process.memoryUsage().rss;
  expect(await taken({ entry: 'bomb.wav', unit: '0123456789', n: 500_000_000 })).toBe('archive_limit');
  expect(process.memoryUsage().rss - before).toBeLessThan(700_000_000);
});

test('SAFE-24 a row whose form or size is not made here is not placed, and ends nothing', () => {
  for (const said of [
    { shape: 'spiral' },
    { unit: 1, n: 2 },
    { entries: 9e6, bytes: 1 },
    { unit: 'x', n: 6e9 },
    7,
    [],
    '',
  ])
    expect(placePayload(row('id3.title', '', said), file), JSON.stringify(said)).toEqual({ kind: 'waiting' });
});

test('SAFE-25 a row is placed where its surface says: ISRC, NFO, the address of a cover, links and other frames', () => {
  const put = (surface: string) => {
    const placed = placePayload(row(surface, 'B!'), file);
    return placed.kind === 'placed' ? placed.file.tags : placed.kind;
  };
  for (const surface of ['isrc', 'id3.tsrc', 'id3.TSRC', 'vorbis.ISRC', 'cue.isrc'])
    expect(put(surface), surface).toEqual({ title: 'Song', external_ids: { isrc: 'B!' } });
  expect(put('nfo')).toEqual({ title: 'Song', nfo: 'B!' });
  expect(put('nfo.text')).toEqual({ title: 'Song', text: 'B!' });
  expect(put('cover.url')).toEqual({ title: 'Song', url: 'B!' });
  expect(put('cover_url')).toEqual({ title: 'Song', cover_url: 'B!' });
  expect(put('id3.wxxx:home')).toEqual({ title: 'Song', home: 'B!' });
  expect(put('id3.tcom')).toEqual({ title: 'Song', tcom: 'B!' });
  expect(put('pdf.text')).toEqual({ title: 'Song', 'pdf.text': 'B!' });
  expect(put('smell')).toBe('waiting');
});
