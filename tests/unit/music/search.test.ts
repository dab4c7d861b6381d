import { describe, expect, it } from 'vitest';
import { assign } from '#lanes/music/core/match/assign.ts';
import { searchCatalog } from '#lanes/music/core/index/search-catalog.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { textKey } from '#core/text/similarity.ts';
import { begunQuestions, catalogOfWords, holeIn } from '../../fixtures/begun-questions.ts';
import { COMPUTER, FIRST, ROAD, catalogOf, fillers } from './small-catalog.ts';

const CINEMA = { title: 'Группа солнца', artist: 'Театр', tracks: [['Спокойная ночь', 300]] } as const;
const plans = [ROAD, COMPUTER, FIRST, CINEMA, ...fillers(30)];
const index = buildCatalogIndex(catalogOf(plans));

describe('search', () => {
  it.each([
    ['harbor rode', 'Harbour Road'],
    ['fine mashine', 'Fine Machine'],
    ['valvehead', 'Fine Machine'],
    ['gruppa solntsa', 'Группа солнца'],
    ['tidewalkers harbour road', 'Harbour Road'],
  ])('finds the album behind "%s"', (query, title) => {
    expect(searchCatalog(index, query, 5).albums[0]?.title).toBe(title);
  });

  it('finds artists and tracks with typos, by their beginning too', () => {
    expect(searchCatalog(index, 'valvhead', 3).artists[0]?.name).toBe('Valvehead');
    expect(searchCatalog(index, 'nervous andriod', 3).tracks[0]?.title).toBe('Nervous Android');
    expect(searchCatalog(index, 'golden lul', 3).tracks[0]?.title).toBe('Golden Lullabies');
    expect(searchCatalog(index, '  ', 3)).toEqual({ artists: [], albums: [], tracks: [] });
  });

  it.each([
    ['harbourroad', 'Harbour Road'],
    ['f1n3 m4ch1n3', 'Fine Machine'],
  ])('SYNC-81 "%s", which has no word of the catalog, is looked for as a whole', (query, title) => {
    expect(index.words().search(query, 5)).toEqual({ artists: [], albums: [], tracks: [] });
    expect(searchCatalog(index, query, 5).albums[0]?.title).toBe(title);
  });

  it('SYNC-70 what is typed has no holes: every beginning of a question finds what the whole finds', () => {
    const catalog = catalogOfWords(7, 20);
    const made = buildCatalogIndex(catalog);
    const questions = begunQuestions(catalog, 5);
    expect(questions.length).toBeGreaterThan(600);
    expect(questions.flatMap((one) => holeIn(one, searchCatalog(made, one.question, 20), 20) ?? [])).toEqual([]);
  });

  it.each(['fela z', 'fela zo', 'fela zombie', 'zombie fela k', 'afrika 70'])('SYNC-70 "%s" finds', (query) => {
    const plan = { title: 'Zombie', artist: "Fela Kuti & Africa '70", tracks: [['Zombie', 745]] } as const;
    const made = buildCatalogIndex(catalogOf([ROAD, plan, ...fillers(30)]));
    expect(searchCatalog(made, query, 5).albums.map(({ title }) => title)).toContain('Zombie');
  });

  it('MATCH-4: an album is found by the lengths of its tracks alone', () => {
    const timed = ROAD.tracks.slice(2, 9).map(([, seconds]) => ({ duration_ms: seconds * 1000 + 400, positions: [] }));
    expect(index.albumsByDurations(timed, 3)[0]?.id).toBe('album-0');
  });

  it('MATCH-4: albums of an artist are found through the name', () => {
    expect(index.albumsByArtist(textKey('Tidewalkers, The'), 5).map((hit) => hit.id)).toEqual(['album-0']);
  });

  it('looks up albums and tracks by id', () => {
    expect(index.album('album-1')?.tracks.map((track) => track.title)).toEqual(COMPUTER.tracks.map(([title]) => title));
    expect(index.track('track-1-3')?.title).toBe('Exit Theme');
    expect([index.album('nothing'), index.track('nothing')]).toEqual([null, null]);
  });
});

describe('MATCH-5: the assignment', () => {
  it('takes the greatest sum, not the greatest pair first', () => {
    expect(
      assign(
        [
          [10, 9],
          [9, 1],
        ],
        0,
      ),
    ).toEqual([1, 0]);
  });

  it('leaves unassigned what is below the floor, and what finds no column', () => {
    expect(
      assign(
        [
          [1, 0],
          [8, 0],
        ],
        2,
      ),
    ).toEqual([-1, 0]);
    expect(assign([[5], [6], [4]], 2)).toEqual([-1, 0, -1]);
    expect(assign([], 1)).toEqual([]);
  });
});
