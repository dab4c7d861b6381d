import type { AudioFormat } from '../fixtures/audio.ts';
import { rar5Of, sevenZipOf } from '../fixtures/packed.ts';
import { apeOf } from '../fixtures/rare-audio.ts';
import { NINE_CRATES, SHORT_WAVES } from './catalog.ts';
import { namesOf, trackFile } from './support/album-files.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const FORMATS: AudioFormat[] = ['mp3-noxing', 'alac', 'm4a', 'ogg', 'opus', 'wav', 'aiff', 'wma', 'flac'];
/** Which way each takes in Chromium; MEDIA-20. */
const WAYS: Partial<Record<AudioFormat, RegExp>> = {
  alac: /^alac -> vorbis q9, by ffmpeg: /,
  aiff: /^pcm_s16be -> vorbis q9, by ffmpeg: /,
  wma: /^wmav2 .*, by ffmpeg: /,
  ogg: /^kept: vorbis at or under target$/,
};
const FAST = / -> vorbis q9, fast$/;

test("MEDIA-20 one file of each kind: MP3 without an index, ALAC, AAC, Vorbis, Opus, WAV, AIFF, WMA, FLAC; STAGE-116, STAGE-118 a 7z with Monkey's Audio and a RAR in it: published, and what is protected is named", async ({
  app,
  api,
  page,
}) => {
  const files = await Promise.all(
    NINE_CRATES.tracks.map((track, index) =>
      trackFile(NINE_CRATES, track, { format: FORMATS[index] ?? 'flac', tagged: true }),
    ),
  );
  await app.addFiles(files);
  await app.waitForPublished(namesOf(files));
  expect(await api.available(NINE_CRATES.id)).toHaveLength(9);
  const reasons = await page.evaluate(conversionReasons);
  for (const [index, { name }] of files.entries()) {
    const format = FORMATS[index] ?? 'flac';
    expect(reasons[name], format).toMatch(WAYS[format] ?? FAST);
  }
  for (const track of NINE_CRATES.tracks) await expectServed(api, NINE_CRATES, track, track.duration_ms ?? 0);

  const [carrier, dial] = SHORT_WAVES.tracks;
  if (!carrier || !dial) throw new Error('the album changed');
  const tags = { Title: carrier.title, Artist: SHORT_WAVES.artist, Album: SHORT_WAVES.title, Track: '1' };
  const ape = { name: '01 - Carrier.ape', data: apeOf((carrier.duration_ms ?? 0) / 1000, tags) };
  const flac = await trackFile(SHORT_WAVES, dial, { format: 'flac', tagged: true });
  const bytes = sevenZipOf([
    ape,
    { name: 'more.rar', data: rar5Of([{ name: flac.name, data: flac.bytes }]) },
    { name: 'secret.flac', data: flac.bytes, encrypted: true },
  ]);
  await app.addFiles([{ name: 'waves.7z', bytes }]);
  await app.waitForPublished([ape.name, flac.name]);
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(2);
  const row = page.getByRole('listitem', { name: 'secret.flac', exact: true });
  await expect(row).toHaveAttribute('data-status', 'FAILED');
  await expect(row).toContainText('is protected by a password, which in a 7z or RAR cannot be opened here');
  await expect(row).toContainText('Unpack it with a program for such archives');
});

/** Runs in the page: `conversion_reason` by the name of the file. */
async function conversionReasons(): Promise<Record<string, string>> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('accession');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error('the database cannot be opened'));
  });
  try {
    return await new Promise((resolve, reject) => {
      const reading = database.transaction('jobs').objectStore('jobs').getAll();
      reading.onsuccess = () =>
        resolve(Object.fromEntries(reading.result.map((job) => [job.original_filename, job.conversion_reason])));
      reading.onerror = () => reject(new Error('the jobs cannot be read'));
    });
  } finally {
    database.close();
  }
}
