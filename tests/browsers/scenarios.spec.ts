import { SHORT_WAVES } from '../e2e/catalog.ts';
import { albumFiles, namesOf } from '../e2e/support/album-files.ts';
import { expect, test } from './support/test.ts';

test.skip(({ program }) => program === '', 'this machine has no such browser');

test('an album goes from its drop into the catalog', async ({ station, api }) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'flac', tagged: true });
  await station.addFiles(files);
  await station.published(namesOf(files));
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(SHORT_WAVES.tracks.length);
});
