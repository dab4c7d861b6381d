/** The set that is evaluated, as a thread can make it for itself. */
import { readFileSync } from 'node:fs';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import type { LabelledCase } from '../case.types.ts';
import { ownCatalog, ownSet } from '../own.ts';
import { readCases } from '../read.ts';

/** Files, or what the project's own set is made from. */
export type SetSource = { catalog: string; cases: string } | { seed: number; tracks: number; cases: number };

export function openSet(source: SetSource): { catalog: CatalogFile; cases: LabelledCase[] } {
  if ('seed' in source) return ownSet(source);
  return {
    catalog: JSON.parse(readFileSync(source.catalog, 'utf8')) as CatalogFile,
    cases: readCases(source.cases),
  };
}

/** A file's catalog, or without one the project's own of a seed. */
export function catalogOf(path: string | null, seed: number): CatalogFile {
  return path === null ? ownCatalog(seed, 25_000) : (JSON.parse(readFileSync(path, 'utf8')) as CatalogFile);
}
