import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Album, Artist, Track } from '#lanes/music/core/catalog.ts';
import { CompactBuilder } from '#lanes/music/core/index/build.ts';
import { openCompactIndex, type CompactIndex, buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { CatalogChanges } from '#lanes/music/core/index/overlay-changes.ts';
import { openOverlayIndex } from '#lanes/music/core/index/overlay-index.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { CatalogIndex, Hit } from '#lanes/music/core/index/catalog-index.ts';
import { textKey } from '#core/text/similarity.ts';
import { COMPUTER, FIRST, ROAD, SECOND, THIRD, catalogOf, fillers, filesOf, word } from './small-catalog.ts';

interface Rows {
  artists: Map<string, Artist>;
  albums: Map<string, Album>;
  tracks: Map<string, Track>;
}

const source = catalogOf([ROAD, COMPUTER, FIRST, SECOND, THIRD, ...fillers(6)]);
const albumDefaults = { year: null, is_compilation: false, discs: 1, track_count: 7 };
/** Credited by the base, and not in it. */
const LATE = 'ar-late';
const start = (): Rows => ({
  artists: new Map(source.artists.map((row) => [row.id, row])),
  albums: new Map(source.albums.map((row) => [row.id, { ...albumDefaults, ...row }])),
  tracks: new Map(
    source.tracks.map((row, n) => [
      row.id,
      {
        ...row,
        ...(n % 9 === 4 ? { artist_id: LATE } : {}),
        duration_ms: row.duration_ms ?? null,
        availability: 'missing' as const,
      },
    ]),
  ),
});
const base = buildCatalogIndex({ ...values(start()) });

function values(rows: Rows): { artists: Artist[]; albums: Album[]; tracks: Track[] } {
  return { artists: [...rows.artists.values()], albums: [...rows.albums.values()], tracks: [...rows.tracks.values()] };
}

type Step =
  | { do: 'title' | 'length' | 'move' | 'credit' | 'available'; track: number; value: number }
  | { do: 'drop'; track: number }
  | { do: 'rename' | 'drop album' | 'drop album alone' | 'add album' | 'count'; album: number; value: number }
  | { do: 'artist'; artist: number; value: number };

const some = fc.nat({ max: 400 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('title', 'length', 'move', 'credit', 'available'),
      track: some,
      value: some,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop'), track: some }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('rename', 'drop album', 'drop album alone', 'add album', 'count'),
      album: some,
      value: some,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('artist'), artist: some, value: some }) },
);

const at = <T>(items: Iterable<T>, n: number): T => {
  const all = [...items];
  const found = all.at(n < 0 ? n : n % all.length);
  if (found === undefined) throw new Error('an empty catalog');
  return found;
};

/** What a title may become: one that is there already, in part or whole, or a new one. */
const titleOf = (value: number): string =>
  value % 3 === 0 ? at(source.tracks, value).title : value % 3 === 1 ? `${word(value)} ${word(7)}` : 'Sun Prince';

function apply(rows: Rows, one: Step): void {
  const put = (track: Track): void => void rows.tracks.set(track.id, track);
  switch (one.do) {
    case 'title':
      return put({ ...at(rows.tracks.values(), one.track), title: titleOf(one.value) });
    case 'length':
      return put({
        ...at(rows.tracks.values(), one.track),
        duration_ms: one.value % 5 === 0 ? null : 60_000 + one.value * 700,
      });
    case 'move':
      return put({ ...at(rows.tracks.values(), one.track), album_id: at(rows.albums.keys(), one.value) });
    case 'available':
      return put({ ...at(rows.tracks.values(), one.track), availability: 'available', disc: 1 + (one.value % 2) });
    case 'credit': {
      const artist = { id: one.value % 2 === 0 ? LATE : `ar-${one.value}`, name: `${word(one.value)} ${word(4)}` };
      rows.artists.set(artist.id, artist);
      return put({ ...at(rows.tracks.values(), one.track), artist_id: artist.id, artist: artist.name });
    }
    case 'drop':
      return void rows.tracks.delete(at(rows.tracks.keys(), one.track));
    case 'rename': {
      const album = at(rows.albums.values(), one.album);
      return void rows.albums.set(album.id, { ...album, title: titleOf(one.value), year: 1900 + one.value });
    }
    case 'count': {
      const album = at(rows.albums.values(), one.album);
      return void rows.albums.set(album.id, { ...album, track_count: one.value % 20 });
    }
    case 'drop album':
    case 'drop album alone': {
      if (rows.albums.size < 4) return;
      const id = at(rows.albums.keys(), one.album);
      rows.albums.delete(id);
      if (one.do === 'drop album alone') return;
      for (const track of rows.tracks.values()) if (track.album_id === id) rows.tracks.delete(track.id);
      return;
    }
    case 'add album': {
      const artist = at(rows.artists.values(), one.album);
      const id = `new-${one.value}`;
      rows.albums.set(id, {
        ...albumDefaults,
        id,
        title: titleOf(one.value),
        artist_id: artist.id,
        artist: 'Somebody',
      });
      for (let n = 1; n <= 4; n++) {
        const row = { ...at(source.tracks, one.value + n), id: `${id}-${n}`, album_id: id, position: n };
        put({ ...row, duration_ms: 100_000 + one.value * 37 * n, availability: 'available' });
      }
      return;
    }
    case 'artist': {
      const artist = at(rows.artists.values(), one.artist);
      return void rows.artists.set(artist.id, { ...artist, name: `${word(one.value)} ${word(3)}` });
    }
  }
}

function changesBetween(before: Rows, after: Rows): CatalogChanges {
  const changed = <T>(a: Map<string, T>, b: Map<string, T>): T[] =>
    [...b].filter(([id, row]) => a.get(id) !== row).map(([, row]) => row);
  const gone = <T>(a: Map<string, T>, b: Map<string, T>): string[] => [...a.keys()].filter((id) => !b.has(id));
  return {
    artists: changed(before.artists, after.artists),
    albums: changed(before.albums, after.albums),
    tracks: changed(before.tracks, after.tracks),
    gone: {
      artists: gone(before.artists, after.artists),
      albums: gone(before.albums, after.albums),
      tracks: gone(before.tracks, after.tracks),
    },
  };
}

function evolve(steps: readonly Step[]): { after: Rows; overlay: CatalogIndex } {
  const before = start();
  const after: Rows = {
    artists: new Map(before.artists),
    albums: new Map(before.albums),
    tracks: new Map(before.tracks),
  };
  for (const one of steps) apply(after, one);
  return { after, overlay: openOverlayIndex(base, changesBetween(before, after)) };
}

/** An index of everything, with the weights of the base: what the overlay stands for. */
function anew(rows: Rows): CompactIndex {
  const builder = new CompactBuilder();
  const { artists, albums, tracks } = values(rows);
  for (const row of artists) builder.addArtist(row);
  for (const row of albums) builder.addAlbum(row);
  for (const row of tracks) builder.addTrack(row);
  return openCompactIndex(builder.finish(null, base.compact).catalog, base.compact);
}

const scores = (hits: readonly Hit[]): Map<string, number> =>
  new Map(hits.map(({ id, score }) => [id, Number(score.toFixed(5))]));
const numbers = (hits: readonly Hit[]): number[] => hits.map(({ score }) => Number(score.toFixed(5)));

describe('REPLICA-4: an index and what changed since', () => {
  it('SYNC-80 answers as an index of the whole', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
        const { after, overlay } = evolve(steps);
        const whole = anew(after);
        expect(overlay.trackCount).toBe(whole.trackCount);
        for (const id of [...start().albums.keys(), ...after.albums.keys()]) {
          expect(overlay.album(id)).toEqual(whole.album(id));
          expect(overlay.albumAlone(id)).toEqual(whole.albumAlone(id));
          expect(overlay.indexedAlbum(id)).toEqual(whole.indexedAlbum(id));
          expect(overlay.contentKey(id)).toBe(whole.contentKey(id));
          expect(whole.contentKey(id).startsWith(overlay.contentHead(id))).toBe(true);
        }
        for (const id of [...start().tracks.keys(), ...after.tracks.keys()]) {
          expect(overlay.track(id)).toEqual(whole.track(id));
          expect(overlay.albumOfTrack(id)).toBe(whole.albumOfTrack(id));
        }
        for (const text of [
          'Sun Prince',
          'harber road',
          'Valvehead',
          at(after.tracks.values(), steps.length).title,
          at(after.artists.values(), -1).name,
        ]) {
          const key = textKey(text);
          for (const typed of [text, text.slice(0, 3), `${text.slice(1)} sun`])
            expect(overlay.words().search(typed, 300)).toEqual(whole.words().search(typed, 300));
          for (const search of ['albumsByText', 'tracksByText', 'albumsByArtist', 'artistsByText'] as const) {
            expect(scores(overlay[search](key, 300))).toEqual(scores(whole[search](key, 300)));
            expect(numbers(overlay[search](key, 3))).toEqual(numbers(whole[search](key, 3)));
          }
        }
        const files = COMPUTER.tracks
          .slice(0, 5)
          .map(([, seconds], n) => ({ duration_ms: seconds * 1000 + 200, positions: [n + 1] }));
        expect(scores(overlay.albumsByDurations(files, 100))).toEqual(scores(whole.albumsByDurations(files, 100)));
      }),
      { numRuns: 30 },
    );
  });

  it('and the matcher decides the same with it as with an index built anew', () => {
    const files = [...filesOf(ROAD).slice(0, 6), ...filesOf(FIRST, { folder: 'Shiver/' }).slice(0, 5)];
    const decide = (index: CatalogIndex): Map<string, string | null> =>
      new Map(
        matchBatch({ files, context: { type: 'spontaneous' } }, index).files.map((match) => [
          match.file_id,
          match.confidence > 0.9 ? match.track_id : null,
        ]),
      );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        const { after, overlay } = evolve(steps);
        expect(decide(overlay)).toEqual(decide(buildCatalogIndex(values(after))));
      }),
      { numRuns: 10 },
    );
  });
});
