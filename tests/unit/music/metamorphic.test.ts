import { describe, expect, it } from 'vitest';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { figuresOf, measure, type Measured } from '../../../scripts/eval/metamorphic/measure.ts';
import { NEUTRAL } from '../../../scripts/eval/metamorphic/neutral.ts';
import { TELLING } from '../../../scripts/eval/metamorphic/telling.ts';
import { countNoise } from '../../../scripts/eval/metamorphic/words.ts';
import { ownCatalog } from '../../../scripts/eval/own.ts';
import { seeded } from '../../../scripts/eval/random.ts';
import { World } from '../../../scripts/eval/world.ts';

/** The short form of `npm run eval -- metamorphic`: a small catalog, one seed, a hundred and fifty changed albums. */
const catalog = ownCatalog(3, 800);
const index = buildCatalogIndex(catalog);

function changed(changes: typeof NEUTRAL, albums: number): Measured {
  const random = seeded(7);
  const source = { random, world: new World(catalog, random), noise: countNoise(null) };
  return measure({ index, source, changes, albums, each: 4 });
}

const found = ({ examples }: Measured): string[] =>
  examples.map(({ kind, what, path, why }) => `${kind}: ${what}: ${path}: ${why}`);

describe('changed albums', () => {
  it('MATCH-81: what says nothing asks about no more than three in a thousand files and moves none', () => {
    const measured = changed(NEUTRAL, 100);
    const { changed_albums, base_approved, flipped_to_question } = figuresOf(measured);
    expect(changed_albums).toBeGreaterThanOrEqual(100);
    expect(base_approved).toBeGreaterThan(0.95);
    expect(flipped_to_question, found(measured).join('\n')).toBeLessThanOrEqual(0.003);
    expect(found(measured).filter((line) => line.includes(': moved: '))).toEqual([]);
  });

  it('MATCH-82: what says that it is something else leaves nothing approved', () => {
    const measured = changed(TELLING, 50);
    expect(figuresOf(measured)['files_telling']).toBeGreaterThan(200);
    expect(found(measured)).toEqual([]);
  });
});
