/** The project's own cases, anyone's to reproduce: the demo's albums, a synthetic catalog and albums that are hard by themselves. */
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { demoCatalog } from '#lanes/music/server/demo/catalog.ts';
import type { LabelledCase } from './case.types.ts';
import { makeCases } from './cases.ts';
import { syntheticCatalog } from './catalog.ts';
import { specialCatalog } from './special.ts';

/** The same seed gives the same rows and cases; `tracks` is the size of the synthetic part. */
export function ownSet(options: { seed: number; tracks: number; cases: number }): {
  catalog: CatalogFile;
  cases: LabelledCase[];
} {
  const { seed, tracks, cases } = options;
  const catalog = ownCatalog(seed, tracks);
  return { catalog, cases: makeCases(catalog, { seed: seed + 1, cases }) };
}

/** The demo's albums, so many synthetic tracks, and the albums that are hard by themselves. */
export function ownCatalog(seed: number, tracks: number): CatalogFile {
  const parts = [demoCatalog, syntheticCatalog({ seed, tracks }), specialCatalog(seed)];
  return {
    artists: parts.flatMap((part) => part.artists),
    albums: parts.flatMap((part) => part.albums),
    tracks: parts.flatMap((part) => part.tracks),
  };
}
