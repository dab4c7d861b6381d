import { describe, expect, it } from 'vitest';
import type { MusicReview } from '#lanes/music/core/types.ts';
import { checkDraft, fieldOfMessage } from '#lanes/music/ui/catalog/album-check.ts';
import {
  draftOfReview,
  emptyAlbum,
  emptyTrack,
  lengthText,
  parseLength,
  rowLength,
  type AlbumDraft,
} from '#lanes/music/ui/catalog/album-draft.ts';
import { missingTracks, ofName } from '#lanes/music/ui/catalog/album-there.ts';
import { albumBody, trackBody } from '#lanes/music/ui/catalog/album-save.ts';

function file(name: string, title: string | null, disc: number | null, position: number | null, ms: number | null) {
  return { job_id: name, name, title, disc, position, duration_ms: ms };
}

function review(files: MusicReview['files']): MusicReview {
  return {
    schema_version: 1,
    id: 'r1',
    kind: 'no_match',
    job_id: 'j1',
    job_ids: ['j1'],
    batch_id: 'b1',
    group_id: null,
    question: '',
    reasoning: '',
    options: [],
    detected: { album: 'Tin Roofs', artist: 'Gale', year: 1999, title: null },
    files,
    created_at: 0,
    resolved_at: null,
    resolved_by_user_id: null,
    selected_option: null,
  };
}

describe('ENTRY-1: the editor is filled in with what a question detected', () => {
  it('ENTRY-5 takes album, artist and year, and a row for each file by disc and position', () => {
    const draft = draftOfReview(
      review([
        file('b.mp3', 'Two', 1, 2, 61_400),
        file('c.mp3', 'Other Disc', 2, 1, null),
        file('a.mp3', 'One', 1, 1, 4_000),
      ]),
    );
    expect([draft.title, draft.artist, draft.year]).toEqual(['Tin Roofs', 'Gale', '1999']);
    expect(draft.tracks.map((row) => [row.disc, row.position, row.title, row.length])).toEqual([
      ['1', '1', 'One', '0:04'],
      ['1', '2', 'Two', '1:01'],
      ['2', '1', 'Other Disc', ''],
    ]);
    expect(draft.tracks.map(rowLength)).toEqual([4_000, 61_400, null]);
  });

  it('numbers files without a position in the order of their names, and names them by them', () => {
    const draft = draftOfReview(
      review([file('10 - Late.mp3', null, null, null, null), file('x/2_early_song.flac', null, null, null, null)]),
    );
    expect(draft.tracks.map((row) => [row.position, row.title])).toEqual([
      ['1', 'Late'],
      ['2', 'early song'],
    ]);
  });

  it('gives two files that claim one place a place each', () => {
    const draft = draftOfReview(review([file('a', 'A', 1, 3, null), file('b', 'B', 1, 3, null)]));
    expect(draft.tracks.map((row) => row.position)).toEqual(['3', '4']);
    expect(checkDraft(draft)).toEqual({});
  });
});

describe('ENTRY-2: what is wrong is said at its field', () => {
  const track = { ...emptyTrack(), key: 'k1', title: 'A' };
  const album = { ...emptyAlbum(), title: 'T', artist: 'A', tracks: [track] };

  it('finds nothing wrong with a complete form', () => {
    expect(checkDraft(album)).toEqual({});
    expect(albumBody(album)).toEqual({ title: 'T', artist: 'A', year: null, is_compilation: false });
    expect(trackBody({ ...track, length: '4:07' })).toEqual({ title: 'A', disc: 1, position: 1, duration_ms: 247_000 });
  });

  it('names each field, and a place that stands there twice', () => {
    const errors = checkDraft({
      ...album,
      title: ' ',
      year: '19x7',
      tracks: [track, { ...track, key: 'k2', title: '', length: '4.07' }],
    });
    expect(Object.keys(errors).sort()).toEqual(['k2.length', 'k2.position', 'k2.title', 'title', 'year']);
  });

  it('puts what the server says at the field that it names', () => {
    expect(fieldOfMessage('body "year": too large.', album)).toBe('year');
    expect(fieldOfMessage('body "tracks.0.duration_ms": not a number.', album)).toBe('k1.length');
    expect(fieldOfMessage('tracks[0] "position": disc 1, position 1 is taken by tracks[1].', album)).toBe(
      'k1.position',
    );
    expect(fieldOfMessage('There is an album "x" already.', album)).toBeNull();
  });

  it('reads lengths as people write them', () => {
    expect(['0:04', '4:07', '71:30', '1:02:03', ''].map(parseLength)).toEqual([
      4_000,
      247_000,
      4_290_000,
      3_723_000,
      null,
    ]);
    for (const wrong of ['4', '4:7', '4:60', '1:75:00', 'x']) expect(parseLength(wrong)).toBeNaN();
    expect(lengthText(null)).toBe('');
  });
});

describe('an album that came while it was about to be created', () => {
  const key = (text: string) => text.toLowerCase();
  const track = (title: string, position: string, disc = '1') => ({ ...emptyTrack(disc, position), title });
  const draft = (...tracks: AlbumDraft['tracks']): AlbumDraft => ({ ...emptyAlbum(), tracks });

  it('UI-269 gets the tracks that it lacks, at their own places or behind its last', () => {
    const album = draft(track('Zombie', '1'), track('Mister Follow Follow', '2'));
    const files = draft(
      track('zombie', '1'),
      track('Observation', '2'),
      track('Mistake', '3'),
      track('Live', '1', '2'),
    );
    const rows = missingTracks(album, files, key);
    expect(rows.map(({ title, disc, position }) => `${disc}-${position} ${title}`)).toEqual([
      ...['1-3 Observation', '1-4 Mistake', '2-1 Live'],
    ]);
    expect(missingTracks(album, draft(track('ZOMBIE', '7')), key)).toEqual([]);
  });

  it('UI-269 is the only one of that title and artist', () => {
    const zombie = { id: 'a', title: 'Zombie', artist: 'Fela Kuti' };
    const other = { id: 'b', title: 'Zombie', artist: 'The Cranberries' };
    const wanted = { title: 'zombie', artist: 'fela kuti' };
    expect(ofName([zombie, other], wanted, key)).toBe('a');
    expect(ofName([zombie, { ...zombie, id: 'c' }], wanted, key)).toBeNull();
    expect([
      ofName([other], wanted, key),
      ofName([{ id: 'd', title: '', artist: '' }], { title: '', artist: '' }, key),
    ]).toEqual([...[null, null]]);
  });
});
