/** MATCH-2: what an album makes of files once a person has said that they are of it. */
import { durationShare, fitAlbum } from './album-fit.ts';
import type { AlbumFit } from './album-fit.ts';
import { assign } from './assign.ts';
import type { FileReading } from '../names/reading.ts';
import type { PairScore } from './score.ts';
import type { CatalogIndex, IndexedAlbum } from '../index/catalog-index.ts';

/** Inside a chosen album little evidence is enough to place a file (log). */
const FLOOR = 0.5;

/**
 * The album is given: only what tells its tracks apart counts, so the assignment is made with that alone. The table of
 * an album question is made of this as well, so that it shows what the answer does.
 */
export function chosenFit(files: readonly FileReading[], album: IndexedAlbum, index: CatalogIndex): AlbumFit {
  const fit = fitAlbum(files, album, index, true);
  const given = assign(
    fit.pairs.map((row) => row.map(withinAlbum)),
    FLOOR,
  );
  const taken = new Set(given.filter((column) => column >= 0));
  return {
    ...fit,
    given,
    shared: files.map(() => false),
    matched: taken.size,
    coverage: album.tracks.length === 0 ? 0 : taken.size / album.tracks.length,
    durationShare: durationShare(fit.pairs, files, given),
  };
}

function withinAlbum(pair: PairScore): number {
  return pair.title + pair.duration + pair.position * 1.5 + pair.version;
}
