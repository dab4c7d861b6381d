import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { FileMatch } from '#lanes/music/core/match/match.types.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { runs } from '../../fixtures/runs.ts';
import {
  COMPUTER,
  FIRST,
  ROAD,
  catalogOf,
  file,
  fillers,
  filesOf,
  lengths,
  two,
  word,
  type AlbumPlan,
} from './small-catalog.ts';

const plans = [ROAD, COMPUTER, FIRST, ...fillers(8)];
const batches: FileEvidence[][] = [
  filesOf(ROAD).slice(0, 8),
  [...filesOf(ROAD).slice(0, 4), ...filesOf(COMPUTER).slice(2, 6)],
  // Only lengths and places.
  FIRST.tracks.map(([, seconds], i) => file(`track${two(i + 1)}.mp3`, seconds)),
  // In review: lengths that are off, and an album that nobody has.
  COMPUTER.tracks.slice(0, 5).map(([title, seconds], i) => file(`${two(i + 1)} ${title}.mp3`, seconds + 12)),
  lengths(77, 6).map((seconds, i) => file(`Nobody - Nowhere/${two(i + 1)} ${word(3900 + i)}.mp3`, seconds)),
];

// The album that is added stands last, so that the ids of the others stay.
const matched = (files: FileEvidence[], added: readonly AlbumPlan[] = []): FileMatch[] =>
  matchBatch({ files, context: { type: 'spontaneous' } }, buildCatalogIndex(catalogOf([...plans, ...added]))).files;
const before = batches.map((files) => matched(files));
const committed = (match: FileMatch | undefined): string | null =>
  match !== undefined && match.confidence > 0.9 ? match.track_id : null;

/** No file is committed to another track than before, nor one that was in review to a track of the added album. */
function holds(at: number, added: AlbumPlan): { was: FileMatch; is: FileMatch | undefined }[] {
  const after = matched(batches[at] ?? [], [added]);
  const pairs = (before[at] ?? []).map((was, n) => ({ was, is: after[n] }));
  for (const { was, is } of pairs) {
    const now = committed(is);
    if (now !== null) expect(now).toBe(was.track_id);
  }
  return pairs;
}

describe('MATCH-38: an album added to the catalog', () => {
  it('MATCH-55 is committed to by no file that it does not fit better; a confidence moves by how common lengths are', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 14 }), fc.nat(batches.length - 1), (seed, count, at) => {
        const pairs = holds(at, {
          title: `${word(3000 + seed)} ${word(2000 + seed)}`,
          artist: `${word(1000 + seed)} Trio`,
          tracks: lengths(seed + 5000, count).map(
            (seconds, i) => [`${word(2500 + seed + i * 7)} ${word(3300 + i)}`, seconds] as const,
          ),
        });
        for (const { was, is } of pairs)
          if (committed(was) !== null && is !== undefined && committed(is) !== null)
            expect(Math.abs(is.confidence - was.confidence)).toBeLessThan(0.05);
      }),
      { numRuns: runs(6, 100) },
    );
  });

  it('nor where it has the same artist, the same lengths in the same order, and titles of the same words', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 2, 3),
        fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 17, maxLength: 17 }),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        (at, off, turn, sameArtist) => {
          const model = [ROAD, COMPUTER, FIRST, COMPUTER][at] ?? ROAD;
          const words = model.tracks.flatMap(([title]) => title.split(' '));
          const tracks = model.tracks.map(([title, seconds], i) => {
            const [first] = title.split(' ');
            return [`${first} ${words[(i * 3 + turn * 5) % words.length]}`, seconds + (off[i] ?? 0)] as const;
          });
          const artist = sameArtist ? model.artist : 'The Lesser Copies';
          holds(at, { title: `${word(3500)} ${model.title.split(' ')[0]}`, artist, year: 1999, tracks });
        },
      ),
      { numRuns: runs(8, 150) },
    );
  });
});

describe('MATCH-64 a file whose tags and length prove it', () => {
  const index = buildCatalogIndex(catalogOf(plans));
  const [first, ...others] = filesOf(ROAD, { tagged: true });
  const proven = first ?? expect.unreachable();
  const decided = (files: FileEvidence[]) => {
    const { files: found, groups } = matchBatch({ files, context: { type: 'spontaneous' } }, index);
    const match = found.find(({ file_id }) => file_id === proven.file_id);
    const group = groups.find(({ file_ids }) => file_ids.includes(proven.file_id));
    return { track: match?.track_id, sure: (match?.confidence ?? 0) > 0.9, verdict: group?.verdict };
  };
  const alone = decided([proven]);

  it('is sure by itself', () => {
    expect(alone).toMatchObject({ track: expect.any(String), sure: true });
  });

  it.each(others.map((other, at) => [ROAD.tracks[at + 1]?.[0] ?? '', other] as const))(
    'is as sure beside "%s" under a mangled name and with a length that is off',
    (title, other) => {
      const name = `${title.replace(/[aeo]/, 'x')}.mp3`;
      const mangled = { ...other, path: name, tags: {}, duration_ms: (other.duration_ms ?? 0) + 9000 };
      expect(decided([proven, mangled])).toMatchObject({ track: alone.track, sure: true });
      expect(decided([mangled, proven]).verdict).not.toBe('ask_album');
    },
  );
});
