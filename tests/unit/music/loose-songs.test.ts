/** Single files and what little they say: compilations, `Untitled`, titles at another length, names broken as the catalog's. */
import { describe, expect, it } from 'vitest';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { groupMark } from '#lanes/music/core/names/names.ts';
import type { FileMatch, MatchContext } from '#lanes/music/core/match/match.types.ts';
import { COMPUTER, ROAD, catalogOf, file, fillers, type AlbumPlan } from './small-catalog.ts';

const ODD: AlbumPlan = {
  title: 'Odd Ends',
  artist: 'Paper Kites Ensemble',
  tracks: [
    ['Untitled', 311],
    ['Ho\u00c4\u008de\u00c5\u00a1 No\u00c4\u008dem', 136],
    ['A Slow Crossing', 402],
  ],
};
const SIGNS: AlbumPlan = {
  title: 'Sober Signs',
  artist: 'Mirror Club',
  tracks: [
    ['^^', 187],
    ['(103.6fm)', 222],
    ['Bright Harvest', 251],
    ['Cool Water', 206],
    ['Cool Water (Luckstrumental)', 206],
    ['Emerging From The Long Shadows I', 651],
    ['Emerging From The Long Shadows II', 693],
    ['Emerging From The Long Shadows III', 784],
  ],
};
const SAMPLER: AlbumPlan = { ...COMPUTER, title: 'Net Sampler 7', artist: 'Valvehead' };
const rows = catalogOf([ROAD, SAMPLER, ODD, SIGNS, ...fillers(30)]);
const compiled = rows.albums.map((album) => (album.id === 'album-1' ? { ...album, is_compilation: true } : album));
const index = buildCatalogIndex({ ...rows, albums: compiled });

const spontaneous: MatchContext = { type: 'spontaneous' };
const matched = (one: FileEvidence, context = spontaneous): FileMatch | undefined =>
  matchBatch({ files: [one], context }, index).files[0];
const isApproved = (match: FileMatch | undefined): boolean => (match?.confidence ?? 0) > 0.9;
const titles = (match: FileMatch | undefined): string[] => match?.options.map(({ title }) => title) ?? [];

describe('a song that the catalog has on a compilation alone', () => {
  const song = file('Valvehead - Nervous Android.mp3', 383.1);

  it('MATCH-90: is asked about where neither a number nor a text says that it is the compilation’s', () => {
    const match = matched(song);
    expect(match?.why?.vetoes.map(({ kind }) => kind)).toEqual(['compilation']);
    expect(titles(match)[0]).toBe('Nervous Android');
    expect(isApproved(matched(file('The Tidewalkers - Silver Hammer.mp3', 207.1)))).toBe(true);
  });

  it('MATCH-90: is approved where its number agrees, its tag names the compilation, or that was asked for', () => {
    expect(isApproved(matched(file('02 - Valvehead - Nervous Android.mp3', 383.1)))).toBe(true);
    expect(isApproved(matched({ ...song, tags: { album: 'Net Sampler 7' } }))).toBe(true);
    const request: MatchContext = { type: 'download_request', request: { album_id: 'album-1', track_id: null } };
    expect(isApproved(matched(song, request))).toBe(true);
  });
});

describe('a file called Untitled', () => {
  it('MATCH-91: may be the track of that title with its length, and is not approved for it', () => {
    const match = matched(file('Untitled.mp3', 311.2));
    expect(titles(match)[0]).toBe('Untitled');
    expect(isApproved(match)).toBe(false);
  });

  it('MATCH-91: says nothing where others of its batch are called so', () => {
    const files = [file('a/Untitled.mp3', 311.2), file('a/02 - Untitled.mp3', 207)];
    const { files: both } = matchBatch({ files, context: spontaneous }, index);
    for (const { why } of both) expect(why?.pair.title_similarity ?? null).toBeNull();
  });
});

describe('what is behind a title', () => {
  it.each([
    ['^^', '^^ (Club Mix)'],
    ['(103.6fm)', '(103.6fm) (Unplugged)'],
  ])('MATCH-94: names another recording of "%s", too', (title, said) => {
    const [first, second] = SIGNS.tracks;
    const tags = (track: number): FileEvidence['tags'] => ({ artist: SIGNS.artist, album: SIGNS.title, track });
    const files = SIGNS.tracks.map(([name, seconds], at) =>
      file(`s/track0${at + 1}.mp3`, seconds, { ...tags(at + 1), title: name === title ? said : name }),
    );
    const { files: matches } = matchBatch({ files, context: spontaneous }, index);
    const struck = matches.filter(({ why }) => why?.vetoes.some(({ kind }) => kind === 'version'));
    expect(struck.map(({ file_id }) => file_id)).toEqual([
      title === first?.[0] ? 'file s/track01.mp3' : 'file s/track02.mp3',
    ]);
    expect([first?.[0], second?.[0]]).toContain(title);
  });

  it('MATCH-95: guests are no part of a title, what stands in brackets before them is', () => {
    const match = matched(file('Mirror Club - Cool Water (Luckstrumental) feat. The Brass Section.mp3', 206.4));
    expect(match?.options[0]?.title).toBe('Cool Water (Luckstrumental)');
    expect(match?.why?.pair.title_similarity).toBe(1);
  });

  it('MATCH-96: marks of a release group that most names of a batch share are no part of them', () => {
    const names = ['Silver Hammer', 'Oh Lantern', 'Sun Prince'];
    const pile = (mark: string): FileEvidence[] =>
      names.map((name) =>
        file(`${ROAD.artist} - ${name}${mark}.mp3`, ROAD.tracks.find(([title]) => title === name)?.[1] ?? 0),
      );
    const similar = (mark: string): (number | null | undefined)[] =>
      matchBatch({ files: pile(mark), context: spontaneous }, index).files.map(({ why }) => why?.pair.title_similarity);
    expect(similar('-oNe')).toEqual([1, 1, 1]);
    expect(similar(' [MTD]')).toEqual([1, 1, 1]);
    expect(['A Song-oNe', 'A Song [MTD]', 'A Song-Live', 'A Song-LIVE', 'A Song-again'].map(groupMark)).toEqual([
      '-oNe',
      ' [MTD]',
      null,
      null,
      null,
    ]);
  });
});

describe('title and artist exchanged in tags', () => {
  it('MATCH-102: are read as they are, alone and in an album', () => {
    const turned = (at: number): FileEvidence => {
      const [title, seconds] = ROAD.tracks[at] ?? ['', 0];
      return file(`track0${at + 1}.mp3`, seconds + 0.1, {
        title: ROAD.artist,
        artist: title,
        album: ROAD.title,
        track: at + 1,
      });
    };
    expect(isApproved(matched(turned(2)))).toBe(true);
    const { files } = matchBatch({ files: [0, 1, 2, 3, 4, 5].map(turned), context: spontaneous }, index);
    expect(files.map(({ track_id }) => track_id)).toEqual([0, 1, 2, 3, 4, 5].map((at) => `track-0-${at}`));
    expect(files.every(isApproved)).toBe(true);
  });
});

describe('a part of a work', () => {
  it('MATCH-103: with the length of another part is asked about', () => {
    const match = matched(file('Mirror Club - Cool Water (Luckstrumental).mp3', 206.1));
    expect(isApproved(match)).toBe(true);
    const other = matched(file('Mirror Club - Emerging From The Long Shadows III.mp3', 693));
    expect(isApproved(other)).toBe(false);
    expect(titles(other).sort()).toEqual(
      expect.arrayContaining(['Emerging From The Long Shadows II', 'Emerging From The Long Shadows III']),
    );
  });
});

describe('a title', () => {
  it('MATCH-92: at another length is offered, and never approved', () => {
    const match = matched(file('A Slow Crossing.mp3', 91));
    expect(titles(match)).toContain('A Slow Crossing');
    expect(isApproved(match)).toBe(false);
  });

  it('MATCH-93: broken in the name as in the catalog is the same title', () => {
    const match = matched(file('Ho\u00c4\u008de\u00c5\u00a1 No\u00c4\u008dem.mp3', 136.1));
    expect(match?.why?.pair.title_similarity).toBe(1);
    expect(titles(match)[0]).toBe(ODD.tracks[1]?.[0]);
  });
});

describe('a song of two recordings', () => {
  const live = (title: string, seconds: number): AlbumPlan => ({
    title,
    artist: 'Valvehead',
    tracks: [
      ['Winter Harbour', seconds],
      [`Opening of ${title}`, 280],
      [`Closing of ${title}`, 301],
    ],
  });
  const of = (lake: number) =>
    buildCatalogIndex(catalogOf([live('In The Park', 317.3), live('At The Lake', lake), ...fillers(20)]));
  const [near, far] = [of(318.5), of(320.5)];
  const found = (seconds: number, tags: FileEvidence['tags'] = {}, songs = near): FileMatch | undefined => {
    const song = { ...file('Valvehead - Winter Harbour.mp3', seconds), tags };
    return matchBatch({ files: [song], context: spontaneous }, songs).files[0];
  };

  it('MATCH-111: whose lengths differ by no more than a written length may be off is asked about', () => {
    for (const seconds of [317.3, 317.6, 317.9, 318.3, 318.5]) expect(isApproved(found(seconds))).toBe(false);
    expect(found(318.3)?.why?.vetoes.map(({ kind }) => kind)).toContain('twin');
    expect(
      found(318.3)
        ?.options.map(({ title }) => title)
        .slice(0, 2),
    ).toEqual(['Winter Harbour', 'Winter Harbour']);
  });

  it('MATCH-111: is approved where the lengths are further apart or a tag names the album', () => {
    expect(isApproved(found(317.4, {}, far))).toBe(true);
    expect(isApproved(found(318.3, { album: 'At The Lake', artist: 'Valvehead', title: 'Winter Harbour' }))).toBe(true);
    expect(found(318.3, { album: 'In The Park' })?.options[0]?.title).toBe('Winter Harbour');
  });
});
