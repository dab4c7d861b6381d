import { expect, test } from 'vitest';
import { readFolder } from '#lanes/video/core/folder/read-folder.ts';
import { tryIt } from '#lanes/video/ui/page/try-it.ts';

test('VIDEO-141, UI-367 the made-up folder of the Video page is read show by show, and the file of neither is no episode', () => {
  const source = tryIt(0);
  if (source.kind !== 'list') throw new Error('it is no list');
  const reading = readFolder(
    source.files.map(({ path }) => ({ path })),
    { folderName: source.name, shows: [] },
  );
  const lines = reading.files.map(({ class: kind, season, episodes, show }) =>
    kind === 'episode' ? `${(show ?? reading.show).title} ${season}x${episodes.join()}` : kind,
  );
  expect(lines).toEqual([
    'Lantern Street 1x1',
    'companion',
    'Lantern Street 1x2',
    'Lantern Street 1x3',
    'Slack Tide 1x1',
    'Slack Tide 1x2',
    'movie',
    'extra',
  ]);
});
