import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { soundingUpload } from '../../fixtures/faults/uploads.ts';
import { makePcm } from '../../fixtures/pcm.ts';

/** MD5 of the sound, from the head of a FLAC file. */
const soundOf = (flac: Uint8Array): string => Buffer.from(flac.subarray(26, 42)).toString('hex');

test('SYNC-63 no two uploads of a history sound alike, tracks of one length at one count among them', async () => {
  const track = (id: string, album: string) => ({
    ...{ id, title: 'Track 1', artist: 'Nobody', album_id: album, album, position: 1, duration_ms: 500 },
  });
  const first = await soundingUpload(track('tr_1', 'one'), '1.flac', 1);
  const others = [
    await soundingUpload(track('tr_2', 'two'), '2.flac', 1),
    await soundingUpload(track('tr_1', 'one'), '3.flac', 2),
    await soundingUpload(track('tr_2', 'two'), '4.flac', 2),
  ];
  expect(new Set([first, ...others].map(soundOf)).size).toBe(4);
  expect(soundOf(await soundingUpload(track('tr_1', 'one'), '5.flac', 1))).toBe(soundOf(first));
});

test('SYNC-63 so many numbers have a sound of their own', () => {
  const sounds = Array.from({ length: 3000 }, (_, at) =>
    makePcm({ seconds: 0.05, sampleRate: 8000, channels: 1, seed: at + 1 }),
  );
  const hashes = sounds.map((sound) => createHash('sha256').update(sound).digest('hex'));
  expect(new Set(hashes).size).toBe(3000);
});
