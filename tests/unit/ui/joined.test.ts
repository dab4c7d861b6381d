import { expect, test } from 'vitest';
import type { MusicReview } from '#lanes/music/core/types.ts';
import { draftOfReview } from '#lanes/music/ui/catalog/album-draft.ts';
import { joins } from '#lanes/music/ui/review/joins.ts';
import type { Review } from '#core/job/review.ts';
import { joined, type Joins } from '#ui/review/joined.ts';

const file = (job_id: string, position: number, title: string): MusicReview['files'][number] => ({
  ...{ job_id, name: `${position}.mp3`, title, disc: 1, position, duration_ms: 100_000 },
});
const asked = (id: string, album: string | null, artist: string | null, files: MusicReview['files']): MusicReview => ({
  ...{ schema_version: 1, id, kind: 'no_match', batch_id: `batch-${id}`, group_id: null },
  ...{ job_id: files[0]?.job_id ?? '', job_ids: files.map(({ job_id }) => job_id), files },
  question: `Could not find matching album in catalog. Detected: '${album}' by '${artist}' (${files.length} tracks). Would you like to create a new catalog entry?`,
  ...{ reasoning: '', options: [], detected: { album, artist, year: null, title: null } },
  ...{ created_at: 0, resolved_at: null, resolved_by_user_id: null, selected_option: null },
});
const together = (...reviews: MusicReview[]) => joined(reviews as unknown as Review[], () => joins as unknown as Joins);

test('UI-342 open questions about one album that is not in the catalog are one, with the files of all their drops', () => {
  const first = asked('a', 'Tin Weather', 'Gale & Sons', [file('a1', 1, 'Rivets'), file('a2', 2, 'Downspout')]);
  const other = asked('b', 'Copper Year', 'Gale & Sons', [file('b1', 1, 'Oxbow')]);
  const rest = asked('c', 'TIN  WEATHER', 'gale & sons', [file('c1', 3, 'Hail'), file('c2', 2, 'Downspout')]);
  const { shown, parts } = together(first, other, rest);
  expect(shown.map(({ id, job_ids }) => [id, job_ids])).toEqual([
    ['a', ['a1', 'a2', 'c1', 'c2']],
    ['b', ['b1']],
  ]);
  expect(shown[0]?.question).toContain("'Tin Weather' by 'Gale & Sons' (4 tracks, of several drops).");
  expect([...parts].map(([id, list]) => [id, list.map((one) => one.id)])).toEqual([['a', ['a', 'c']]]);
  // The entry has each track once, also where two drops brought it.
  expect(
    draftOfReview(shown[0] as unknown as MusicReview).tracks.map(({ position, title }) => [position, title]),
  ).toEqual([
    ['1', 'Rivets'],
    ['2', 'Downspout'],
    ['3', 'Hail'],
  ]);
});

test('UI-342 questions without an artist, without an album, or with candidates stand by themselves', () => {
  const files = (id: string) => [file(id, 1, 'Rivets')];
  const nobody = [asked('a', 'Hits', null, files('a1')), asked('b', 'Hits', null, files('b1'))];
  const nameless = [asked('c', null, 'Ada', files('c1')), asked('d', null, 'Ada', files('d1'))];
  const offered = ['e', 'f'].map((id) => ({ ...asked(id, 'Hits', 'Ada', files(id)), kind: 'album' as const }));
  const all = [...nobody, ...nameless, ...offered];
  const { shown, parts } = together(...all);
  expect(shown).toEqual(all);
  expect(parts.size).toBe(0);
});
