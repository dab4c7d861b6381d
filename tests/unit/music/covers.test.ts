import { describe, expect, it } from 'vitest';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { COMPUTER, ROAD, catalogOf, file, fillers, two, type AlbumPlan } from './small-catalog.ts';

const index = buildCatalogIndex(catalogOf([ROAD, COMPUTER, ...fillers(8)]));
const { tracks } = COMPUTER;

/** Files of the album under its titles and lengths, with this artist in each tag; `wrong` have another track's title there. */
function committed(artist: string, wrong: number): number {
  const files = tracks.map(([title, seconds], i) => {
    const tagged = i < wrong ? tracks[(i + 1) % tracks.length]?.[0] : title;
    return file(`${two(i + 1)} ${title}.mp3`, seconds + 0.2, { title: tagged ?? '', artist, track: i + 1 });
  });
  const { files: matches } = matchBatch({ files, context: { type: 'spontaneous' } }, index);
  return matches.filter((match) => match.track_id !== null && match.confidence > 0.9).length;
}

describe('MATCH-54 tags that name another artist', () => {
  it('are covers of all, where at least half of them name their track as well', () => {
    expect(committed('Velvet Kazoos', 0)).toBe(0);
    expect(committed('Velvet Kazoos', 6)).toBe(0);
  });

  it('are a mistake, where they name another track', () => {
    expect(committed('Velvet Kazoos', tracks.length)).toBe(tracks.length);
  });

  it('say nothing, where one of the two names is written in Chinese characters', () => {
    expect(committed('閥門樂隊', 0)).toBe(tracks.length);
  });
});

describe('MATCH-97 another artist', () => {
  const played = (plan: AlbumPlan, artist: string): number => {
    const files = plan.tracks.map(([title, seconds], i) =>
      file(`${two(i + 1)}.mp3`, seconds + 0.2, { title, artist, album: plan.title, track: i + 1 }),
    );
    const found = matchBatch({ files, context: { type: 'spontaneous' } }, several).files;
    return found.filter((match) => match.track_id !== null && match.confidence > 0.9).length;
  };
  const PAIR: AlbumPlan = { ...ROAD, artist: 'Stranger & The Cryings' };
  const NUMBERED: AlbumPlan = { ...COMPUTER, tracks: COMPUTER.tracks.map(([, seconds], i) => [`${i + 1}`, seconds]) };
  const GUESTED: AlbumPlan = { ...COMPUTER, title: 'Out of Hours', artist: 'A.B.C. Feat. Kate Reed' };
  const several = buildCatalogIndex(catalogOf([PAIR, NUMBERED, GUESTED, ...fillers(8)]));

  it('is named where a name of several has more behind it', () => {
    expect(played(PAIR, 'Stranger & The Cryings Tribute Band')).toBe(0);
    expect(played(PAIR, 'Stranger & The Cryings')).toBe(ROAD.tracks.length);
    expect(played(PAIR, 'Stranger')).toBe(ROAD.tracks.length);
    expect(played(PAIR, 'Stranger & The Cryings feat. Ivo')).toBe(ROAD.tracks.length);
    expect(played(GUESTED, 'A.B.C. Feat. Kate Reed Tribute Band')).toBe(0);
    expect(played(GUESTED, 'A.B.C.')).toBe(COMPUTER.tracks.length);
  });

  it('MATCH-98: plays an artist of any script whom the album’s tag names', () => {
    const plan: AlbumPlan = { ...ROAD, title: '明天路', artist: '沉默乐队' };
    const han = buildCatalogIndex(catalogOf([plan, ...fillers(8)]));
    const committedAs = (album: string): number => {
      const files = plan.tracks.map(([title, seconds], i) =>
        file(`${two(i + 1)} ${title}.mp3`, seconds + 0.2, { title, artist: 'Nora Bell', album, track: i + 1 }),
      );
      const found = matchBatch({ files, context: { type: 'spontaneous' } }, han).files;
      return found.filter((match) => match.track_id !== null && match.confidence > 0.9).length;
    };
    expect(committedAs('The Music of 沉默乐队')).toBe(0);
    expect(committedAs('明天路: Piano Renditions')).toBe(0);
    expect(committedAs('明天路')).toBe(plan.tracks.length);
  });

  it('covers tracks whose titles are numbers, too', () => {
    expect(played(NUMBERED, 'Vitalis String Quartet')).toBe(0);
    expect(played(NUMBERED, NUMBERED.artist)).toBe(COMPUTER.tracks.length);
  });
});
