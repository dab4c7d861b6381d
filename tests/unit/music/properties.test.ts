import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { openOverlayIndex } from '#lanes/music/core/index/overlay-index.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { runs } from '../../fixtures/runs.ts';
import {
  COMPUTER,
  FIRST,
  ROAD,
  SECOND,
  THIRD,
  catalogOf,
  file,
  fillers,
  filesOf,
  two,
  type AlbumPlan,
} from './small-catalog.ts';

/** The first album twice, as a second edition: the same titles, and lengths within a second. */
const AGAIN: AlbumPlan = { ...FIRST, title: `${FIRST.title} (Deluxe)`, year: 2012 };
const plans = [ROAD, COMPUTER, FIRST, SECOND, THIRD, AGAIN, ...fillers(8)];
const index = buildCatalogIndex(catalogOf(plans));
const context = { type: 'spontaneous' } as const;

const batches: Record<string, FileEvidence[]> = {
  pile: [...filesOf(ROAD).slice(0, 4), ...filesOf(COMPUTER).slice(3, 6), file('zz.mp3', 91)],
  nameless: FIRST.tracks.slice(0, 6).map(([, seconds], i) => file(`track${two(i + 1)}.mp3`, seconds)),
  'two formats': [SECOND, SECOND].flatMap((plan, n) =>
    filesOf(plan, { folder: 'Wicked/', extension: n === 0 ? 'flac' : 'mp3' }).slice(0, 4),
  ),
  'two editions': filesOf(FIRST, { folder: 'Shiver/' }).slice(0, 5),
  'two albums, discs': [
    ...filesOf(THIRD, { folder: 'Set/CD1/' }).slice(0, 4),
    ...filesOf(COMPUTER, { folder: 'Set/CD2/' }).slice(0, 4),
  ],
};
const name = fc.constantFrom(...Object.keys(batches));

/** What was decided, said by content: ids may differ. */
function decisions(files: readonly FileEvidence[], against: CatalogIndex): Map<string, string> {
  const result = matchBatch({ files: [...files], context }, against);
  return new Map(
    result.files.map((match) => {
      const track = match.track_id === null ? null : against.track(match.track_id);
      const options = match.options.map((option) => against.track(option.track_id)?.title).sort();
      return [match.file_id, `${track?.title} of ${track?.artist} at ${match.confidence}; ${options.join(', ')}`];
    }),
  );
}
const expected = new Map(Object.entries(batches).map(([key, files]) => [key, decisions(files, index)]));

const shuffled = <T>(items: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...items], { minLength: items.length });
const prefix = fc.constantFrom('', 'z-', '0');

/** The small catalog less its last plans, and those laid over it as changes; the order of rows by `turn`. */
function overlaid(before: string, turn: boolean): CatalogIndex {
  const whole = catalogOf(plans, before);
  const late = new Set(whole.albums.slice(3, 6).map((album) => album.id));
  const defaults = { year: null, is_compilation: false, discs: 1, track_count: 10 };
  const of = (there: boolean): CatalogFile => ({
    artists: whole.artists,
    albums: whole.albums.filter((album) => late.has(album.id) === there),
    tracks: whole.tracks.filter((track) => late.has(track.album_id) === there),
  });
  const added = of(true);
  const turned = <T>(rows: T[]): T[] => (turn ? rows.reverse() : rows);
  return openOverlayIndex(buildCatalogIndex(of(false)), {
    artists: [],
    albums: turned(added.albums.map((album) => ({ ...defaults, ...album }))),
    tracks: turned(
      added.tracks.map((track) => ({
        ...track,
        duration_ms: track.duration_ms ?? null,
        availability: 'missing' as const,
      })),
    ),
    gone: { artists: [], albums: [], tracks: [] },
  });
}

describe('properties', () => {
  it('MATCH-12: the order of files changes no decision', () => {
    fc.assert(
      fc.property(
        name.chain((key) => shuffled(batches[key] ?? []).map((files) => ({ key, files }))),
        ({ key, files }) => {
          expect(decisions(files, index)).toEqual(expected.get(key));
        },
      ),
      { numRuns: runs(15, 200) },
    );
  });

  it('MATCH-12: the order of the catalog and the names of its ids change no decision', () => {
    fc.assert(
      fc.property(shuffled(plans), prefix, (order, before) => {
        const other: CatalogFile = catalogOf(order, before);
        const against = buildCatalogIndex({ ...other, tracks: [...other.tracks].reverse() });
        for (const [key, files] of Object.entries(batches))
          expect(decisions(files, against)).toEqual(expected.get(key));
      }),
      { numRuns: runs(4, 60) },
    );
  });

  it('MATCH-12: nor do they where albums lie in an overlay', () => {
    const plain = overlaid('', false);
    for (const before of ['z-', '0']) {
      const other = overlaid(before, true);
      for (const files of Object.values(batches)) expect(decisions(files, other)).toEqual(decisions(files, plain));
    }
  });

  it('MATCH-14: any text at all is read without an error', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ unit: 'grapheme', maxLength: 80 }));
    fc.assert(
      fc.property(
        fc.array(fc.record({ path: text, title: text, artist: text, length: fc.option(fc.nat(4_000_000)) }), {
          maxLength: 6,
        }),
        (rows) => {
          const files = rows.map((row, i) => ({
            file_id: `f${i}`,
            path: row.path,
            duration_ms: row.length,
            tags: { title: row.title, artist: row.artist },
          }));
          const result = matchBatch({ files, context }, index);
          expect(result.files.map((match) => match.file_id)).toEqual(files.map((entry) => entry.file_id));
          for (const match of result.files) expect(match.confidence >= 0 && match.confidence <= 1).toBe(true);
        },
      ),
      { numRuns: runs(12, 400) },
    );
  });
});
