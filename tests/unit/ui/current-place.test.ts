import { expect, test } from 'vitest';
import { isCurrentPlace } from '#ui/shell/current-place.ts';
import { ui } from '#lanes/library/ui/lane-ui.ts';

test('LIBRARY-104 questions and answers belong to Library in the rail, and a name that only begins alike does not', () => {
  const place = ui.places?.[0] ?? { path: '' };
  for (const page of ['library', 'library/42/file', 'ask', 'ask/7'])
    expect(isCurrentPlace(place, page), page).toBe(true);
  for (const page of ['', 'asking', 'libraryish', 'settings']) expect(isCurrentPlace(place, page), page).toBe(false);
  const first = { path: '', also: ['jobs', 'batches'] };
  expect(['', 'jobs/1', 'batches/2', 'review'].map((page) => isCurrentPlace(first, page))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
