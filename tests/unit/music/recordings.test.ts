import { describe, expect, it } from 'vitest';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { COMPUTER, ROAD, catalogOf, file, fillers, two } from './small-catalog.ts';

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

  it('MATCH-36, MATCH-53: the album version is what a catalog means by the plain title', () => {
    expect(committed(named('Valvehead - Fine Machine', ' (Album Version)'))).toBe(12);
  });

  it('MATCH-37: tags that name the tracks and another artist are a cover, however well the lengths fit', () => {
    const files = COMPUTER.tracks.map(([title, seconds], i) =>
      file(`${two(i + 1)} ${title}.mp3`, seconds + 0.2, { title, artist: 'Velvet Kazoos', album: 'Kazoo Party' }),
    );
    expect(committed(files)).toBe(0);
  });
});
