import type { AudioFormat } from '../fixtures/audio.ts';
import { NINE_CRATES } from './catalog.ts';
import { namesOf, trackFile } from './support/album-files.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, test } from './support/test.ts';

const FORMATS: AudioFormat[] = ['mp3-noxing', 'alac', 'm4a', 'ogg', 'opus', 'wav', 'aiff', 'wma', 'flac'];

test('one file of each kind: MP3 without an index, ALAC, AAC, Vorbis, Opus, WAV, AIFF, WMA, FLAC', async ({
  app,
  api,
}) => {
  const files = await Promise.all(
    NINE_CRATES.tracks.map((track, index) =>
      trackFile(NINE_CRATES, track, { format: FORMATS[index] ?? 'flac', tagged: true }),
    ),
  );
  await app.addFiles(files);
  await app.waitForPublished(namesOf(files));
  expect(await api.available(NINE_CRATES.id)).toHaveLength(9);
  for (const track of NINE_CRATES.tracks) await expectServed(api, NINE_CRATES, track, track.duration_ms ?? 0);
});
