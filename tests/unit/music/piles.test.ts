import { describe, expect, it } from 'vitest';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { FileMatch } from '#lanes/music/core/match/match.types.ts';
import { isGenericFolder, parseName } from '#lanes/music/core/names/names.ts';
import { COMPUTER, FIRST, ROAD, SECOND, catalogOf, file, fillers, two, type AlbumPlan } from './small-catalog.ts';

const more = fillers(12);
const index = buildCatalogIndex(catalogOf([ROAD, COMPUTER, FIRST, SECOND, ...more]));
const match = (files: FileEvidence[], against = index): FileMatch[] =>
  matchBatch({ files, context: { type: 'spontaneous' } }, against).files;
const approved = (files: FileEvidence[], against = index): string[] =>
  match(files, against).flatMap(({ track_id, confidence }) =>
    track_id !== null && confidence > 0.9 ? [track_id] : [],
  );
const vetoes = (found: FileMatch | undefined): string[] => found?.why?.vetoes.map(({ kind }) => kind) ?? [];

/** The track of an album, as a file by artist and title. */
const single = (plan: AlbumPlan, at: number, folder = ''): FileEvidence => {
  const [title, seconds] = plan.tracks[at] ?? ['', 0];
  return file(`${folder}${plan.artist} - ${title}.mp3`, seconds + 0.1);
};

const plans = [ROAD, COMPUTER, ...more.slice(0, 6)];

describe('a pile', () => {
  it.each(['', 'Downloads/', 'My Music/', 'USB stick/', 'Rock/', '80s/', 'A-F/', 'New Music 2014/'])(
    'MATCH-73, MATCH-77: in "%s" each file stands for itself',
    (folder) => {
      expect(approved(plans.map((plan, n) => single(plan, n + 1, folder)))).toHaveLength(plans.length);
    },
  );

  it.each(['Zeug/', 'Bobs Sachen/', 'asdf/', 'Roadtrip 2019/', 'The Tidewalkers/', 'old laptop/Oma/'])(
    'MATCH-109: in "%s", a name that no album has, so it does',
    (folder) => {
      const songs = plans.map((plan, n) => single(plan, n + 1, folder));
      expect(approved(songs)).toHaveLength(plans.length);
      const named = songs.map((song, n) => {
        const [title = ''] = plans[n]?.tracks[n + 1] ?? [];
        return { ...song, path: `${folder}${title}.mp3`, tags: { title, artist: plans[n]?.artist ?? '' } };
      });
      expect(approved(named)).toHaveLength(plans.length);
      expect(approved(songs.slice(1))).toHaveLength(plans.length - 1);
    },
  );

  it('MATCH-109: numbers, one album in two tags, or a word of how it was made make the folder an album', () => {
    const songs = plans.map((plan, n) => single(plan, n + 1, 'Summer Sampler/'));
    const changed = (write: (song: FileEvidence, at: number) => Partial<FileEvidence>): string[] =>
      approved(songs.map((song, at) => ({ ...song, ...write(song, at) })));
    expect(changed(({ path }, at) => ({ path: path.replace('/', `/${two(at + 1)} - `) }))).toEqual([]);
    expect(changed(() => ({ tags: { album: 'Summer Sampler' } }))).toEqual([]);
    expect(changed(({ path }) => ({ path: path.replace('Summer Sampler', 'Live in Summer') }))).toEqual([]);
  });

  it('MATCH-73: one file more or less changes no decision about the others', () => {
    const pile = plans.map((plan, n) => single(plan, n + 1));
    const all = approved(pile);
    expect(approved(pile.slice(1)).sort()).toEqual(all.slice(1).sort());
    expect(approved([...pile, file('Nobody - Nothing at all.mp3', 222)]).sort()).toEqual([...all].sort());
  });

  it('MATCH-77: a folder with a word that says something names an album', () => {
    expect(['USB stick', '80s', 'My Music', 'Rock'].every(isGenericFolder)).toBe(true);
    expect(['Rock Bottom', 'Harbour Road', 'Music for Airports'].some(isGenericFolder)).toBe(false);
  });

  it('MATCH-78: both sides of one hyphen may be artist and title', () => {
    expect(parseName('Some Artist-A Title.mp3')).toMatchObject({
      segments: ['Some Artist-A Title', 'Some Artist', 'A Title'],
    });
    expect(parseName('Some Artist - A Well-known Title.mp3').segments).toEqual(['Some Artist', 'A Well-known Title']);
    expect(approved([file('The Tidewalkers-Silver Hammer.mp3', 207.2)])).toEqual(['track-0-2']);
  });
});

describe('a release group', () => {
  it('MATCH-84: is no part of a name', () => {
    expect(parseName('Some Artist - A Title-WEB-2004-oNe.mp3').base).toBe('Some Artist - A Title');
    expect(parseName('Some Artist - 1999.mp3').base).toBe('Some Artist - 1999');
  });
});

describe('one file', () => {
  it('MATCH-74: of a long title that no other track has is approved where number and length agree', () => {
    expect(approved([file('02 - Nervous Android.mp3', 383.1)])).toEqual(['track-1-1']);
    expect(vetoes(match([file('07 - Nervous Android.mp3', 383.1)])[0])).toContain('alone');
    expect(vetoes(match([file('08 - Nervous Android.mp3', 388)])[0])).toContain('alone');
    expect(vetoes(match([file('04 - Exit.mp3', 264)])[0])).toContain('alone');
  });

  it('MATCH-75: a damaged name chooses the track that it is much nearer to', () => {
    const even = {
      ...COMPUTER,
      tracks: COMPUTER.tracks.map(([title], n) => [title, n < 2 ? 300 : 100 + n * 20] as const),
    };
    const against = buildCatalogIndex(catalogOf([ROAD, even, ...more]));
    expect(vetoes(match([file('Valvehead - Nervos Androd.mp3', 300)], against)[0])).not.toContain('rival');
    expect(vetoes(match([file('Valvehead - Sdnvsd.mp3', 300)], against)[0])).not.toEqual([]);
  });

  it('MATCH-80: a damaged name may have lost the word of a version', () => {
    const sung = {
      ...COMPUTER,
      tracks: COMPUTER.tracks.map(([title, s], n) => [n === 3 ? `${title} (Acoustic)` : title, s] as const),
    };
    const against = buildCatalogIndex(catalogOf([ROAD, sung, ...more]));
    const files = sung.tracks.map(([title, seconds], n) =>
      file(`Valvehead - Fine Machine/${two(n + 1)} ${title.replace('Acoustic', 'Acoutsic')}.mp3`, seconds + 0.1),
    );
    expect(approved(files, against)).toHaveLength(files.length);
  });

  it('MATCH-80: a word in the own name of an artist is no version', () => {
    const band = { ...COMPUTER, artist: 'Karaoke Mouse' };
    const against = buildCatalogIndex(catalogOf([ROAD, band, ...more]));
    const files = band.tracks.map(([title, seconds], n) =>
      file(`Fine Machine/${two(n + 1)}. Karaoke Mouse - ${title}.mp3`, seconds + 0.1),
    );
    expect(approved(files, against)).toHaveLength(files.length);
  });
});

describe('files without names that are read', () => {
  it('MATCH-79: six lengths and numbers that agree are an album, whatever the titles are', () => {
    const named = (of: number): FileEvidence[] =>
      COMPUTER.tracks
        .slice(0, of)
        .map(([, seconds], n) => file(`Fremd/${two(n + 1)} Zzyq Wub${'aeiouy'.charAt(n)}.mp3`, seconds + 0.4));
    expect(match(named(6)).map(({ track_id }) => track_id)).toEqual(named(6).map((_, n) => `track-1-${n}`));
    expect(match(named(6)).flatMap(vetoes)).not.toContain('title');
    expect(match(named(5)).flatMap(vetoes)).toContain('title');
  });

  it('MATCH-76: two of one number and length are asked about', () => {
    const lengths = [200, 240, 310, 180, 200, 270, 150, 330];
    const discs = catalogOf([
      { title: 'Two Discs', artist: 'Pairs', tracks: lengths.map((s, n) => [`Song ${n} of it`, s]) },
    ]);
    const tracks = discs.tracks.map((track, n) => ({ ...track, disc: n < 4 ? 1 : 2, position: (n % 4) + 1 }));
    const rest = catalogOf([ROAD, ...more], 'x');
    const against = buildCatalogIndex({
      artists: [...discs.artists, ...rest.artists],
      albums: [...discs.albums, ...rest.albums],
      tracks: [...tracks, ...rest.tracks],
    });
    const found = match(
      lengths.map((seconds, n) => file(`Two Discs/${two((n % 4) + 1)}${n < 4 ? '' : ' (2)'}.mp3`, seconds)),
      against,
    );
    expect(vetoes(found[0])).toContain('rival');
    expect(vetoes(found[4])).toContain('rival');
    expect(vetoes(found[2])).not.toContain('rival');
  });
});
