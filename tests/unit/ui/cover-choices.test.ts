import { expect, test } from 'vitest';
import type { MusicReview } from '#lanes/music/core/types.ts';
import { albumsAsked, coversHere } from '#lanes/music/ui/covers/cover-choices.ts';

type CoverJob = Parameters<typeof coversHere>[0][number];
const job = (id: string, patch: Partial<CoverJob> = {}): CoverJob => ({
  ...{
    id,
    path: `A/${id}.flac`,
    original_filename: `${id}.flac`,
    cover_sha256: null,
    cover_mime: null,
    evidence: null,
  },
  ...patch,
});
const own = (sha256: string) => ({ cover_sha256: sha256, cover_mime: 'image/jpeg' });
const beside = (...names: string[]) => ({
  companions: names.map((name) => ({
    path: `A/${name}`,
    kind: 'cover',
    outcome: '',
    sha256: `of ${name}`,
    text: null,
  })),
});
const words = (jobs: CoverJob[], batch = beside()) =>
  coversHere(jobs, batch).choices.map(({ key, words: said, detail }) => `${key}: ${said}, ${detail}`);

test('UI-360 of one picture in all files nothing else is to be chosen', () => {
  expect(words([job('a', own('x')), job('b', own('x'))])).toEqual(['own: As in your files, 2 files']);
  expect(words([job('a')])).toEqual(['own: No cover, in your files']);
});

test('UI-360 where files differ, or some have none, each picture is a choice for all of them', () => {
  expect(words([job('a', own('x')), job('b', own('y')), job('c', own('y'))])).toEqual([
    'own: Each file its own, 2 different ones, 3 files',
    'y: b.flac, of 2 files',
    'x: a.flac, of 1 file',
  ]);
  expect(words([job('a', own('x')), job('b')])).toEqual([
    'own: As in your files, in 1 of 2 files',
    'x: a.flac, of 1 file',
  ]);
});

test('UI-360 a picture beside the files is theirs where they have none, else a choice', () => {
  expect(words([job('a'), job('b')], beside('cover.jpg'))).toEqual(['own: As in your files, 2 files']);
  expect(words([job('a', own('x'))], beside('cover.jpg'))).toEqual([
    'own: As in your files, 1 file',
    'of cover.jpg: cover.jpg, beside your files',
  ]);
});

test('UI-360 what was chosen is a choice that is marked; where it differs none is', () => {
  const cover_chosen = { sha256: 'mine', mime: 'image/png', from: 'person', name: 'mine.png' } as const;
  const all = coversHere([job('a', { ...own('x'), cover_chosen }), job('b', { ...own('x'), cover_chosen })], beside());
  expect([all.chosen, all.choices.map(({ key }) => key)]).toEqual(['mine', ['own', 'mine']]);
  expect(coversHere([job('a', { cover_chosen }), job('b')], beside()).chosen).toBeNull();
  expect(coversHere([job('a'), job('b')], beside()).chosen).toBe('own');
});

test('UI-360 the albums of a question are asked for their covers, each once, three at most', () => {
  const album = (id: string) => ({ album: { album_id: id, title: `T ${id}` } });
  const track = (id: string) => ({ track: { album_id: id, album: `T ${id}` } });
  const asked = (options: object[], files: object[] = []) =>
    albumsAsked({ options, files } as unknown as MusicReview).map(({ id }) => id);
  expect(asked([album('a'), track('a'), track('b')])).toEqual(['a', 'b']);
  expect(asked([{ id: 'accept' }], [{ proposed: { album_id: 'c', album: 'T c' } }, { proposed: null }])).toEqual(['c']);
  expect(asked(['a', 'b', 'c', 'd'].map(album))).toEqual(['a', 'b', 'c']);
});
