import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchBatch } from '#core/music/match.ts';
import { buildCatalogIndex } from '#core/music/search.ts';
import type { FileEvidence } from '#core/music/evidence.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import { COMPUTER, ROAD, catalogOf, file, fillers, filesOf, lengths, two, word } from './small-catalog.ts';

const plans = [ROAD, COMPUTER, ...fillers(8)];
const index = buildCatalogIndex(catalogOf(plans));
const context = { type: 'spontaneous' } as const;

const committed = (files: FileEvidence[], against: CatalogIndex = index): number =>
  matchBatch({ files, context }, against).files.filter((match) => match.track_id !== null && match.confidence > 0.9)
    .length;

const named = (folder: string, behind = '', tags = {}): FileEvidence[] =>
  COMPUTER.tracks.map(([title, seconds], i) =>
    file(`${folder}/${two(i + 1)} ${title}${behind}.mp3`, seconds + 0.2, tags),
  );

describe('another recording under the same titles and lengths', () => {
  it('MATCH-36: the album itself is committed', () => {
    expect(committed(named('Valvehead - Fine Machine'))).toBe(12);
  });

  it.each([
    ['Fine Machine (Instrumentals)', ''],
    ['Fine Machine (2021 Re-recorded)', ''],
    ["Fine Machine (Valvehead's Version)", ''],
    ['A Tribute to Valvehead', ''],
    ['Fine Machine', ' (8D Audio)'],
    ['Fine Machine', ' (slowed + reverb)'],
    ['Fine Machine', ' (Piano Version)'],
  ])('MATCH-36: %s, titles with "%s": a person is asked', (folder, behind) => {
    expect(committed(named(folder, behind))).toBe(0);
  });

  it('MATCH-36: the album version is what a catalog means by the plain title', () => {
    expect(committed(named('Valvehead - Fine Machine', ' (Album Version)'))).toBe(12);
  });

  it('MATCH-37: tags that name the tracks and another artist are a cover, however well the lengths fit', () => {
    const files = COMPUTER.tracks.map(([title, seconds], i) =>
      file(`${two(i + 1)} ${title}.mp3`, seconds + 0.2, { title, artist: 'Velvet Kazoos', album: 'Kazoo Party' }),
    );
    expect(committed(files)).toBe(0);
  });
});

it('MATCH-38: an unrelated album added to the catalog moves no committed file to another track', () => {
  const batches = [filesOf(ROAD), [...filesOf(ROAD).slice(0, 6), ...filesOf(COMPUTER).slice(2, 9)]];
  const before = batches.map((files) => matchBatch({ files, context }, index).files);
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({ min: 1, max: 14 }), fc.constantFrom(0, 1), (seed, count, at) => {
      const other = {
        title: `${word(3000 + seed)} ${word(2000 + seed)}`,
        artist: `${word(1000 + seed)} Trio`,
        tracks: lengths(seed + 5000, count).map(
          (seconds, i) => [`${word(2500 + seed + i * 7)} ${word(3300 + i)}`, seconds] as const,
        ),
      };
      // Last, so that the ids of the others stay.
      const larger = buildCatalogIndex(catalogOf([...plans, other]));
      const after = matchBatch({ files: batches[at] ?? [], context }, larger).files;
      before[at]?.forEach((was, n) => {
        if (was.confidence <= 0.9 || (after[n]?.confidence ?? 0) <= 0.9) return;
        expect(after[n]?.track_id).toBe(was.track_id);
        // Only how common a length or a title is may have moved it.
        expect(Math.abs((after[n]?.confidence ?? 0) - was.confidence)).toBeLessThan(0.05);
      });
    }),
    { numRuns: 8 },
  );
});
