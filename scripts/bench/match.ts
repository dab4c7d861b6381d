import { contextOf, evidenceOf } from '#lanes/music/cli/match.ts';
import { openCompactIndex } from '#lanes/music/core/index/compact-index.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { MatchRequest } from '#lanes/music/core/match/match.types.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { makeCases } from '../eval/cases.ts';
import { syntheticCatalog } from '../eval/catalog.ts';
import { seeded } from '../eval/random.ts';
import { World } from '../eval/world.ts';
import { compactOf, SEED } from './pack.ts';

const CASES = 60;
const SMALL = 25_000;

const ALBUMS = 10;
const ALBUM_FILES = 30;

/** CPU milliseconds of matching one file over whole batches as they are dropped, and of an album of thirty. */
export function benchMatch(tracks: number): Record<string, number> {
  const size = tracks === 1_000_000 ? '1m' : `${tracks}`;
  const [small, large] = [measure(Math.min(SMALL, tracks)), measure(tracks)];
  return {
    'match.cpu_ms_per_file_25k': small.perFile,
    [`match.cpu_ms_per_file_${size}`]: large.perFile,
    'match.album30_ms_25k': small.album,
    [`match.album30_ms_${size}`]: large.album,
  };
}

function measure(tracks: number): { perFile: number; album: number } {
  const catalog = syntheticCatalog({ seed: SEED, tracks });
  const index = openCompactIndex(compactOf(catalog, null).catalog);
  const cases = makeCases(catalog, { seed: 5, cases: CASES });
  const batches = cases.map((one) => ({ files: one.files.map(evidenceOf), context: contextOf(one.context) }));
  const files = batches.reduce((sum, batch) => sum + batch.files.length, 0);
  return {
    perFile: cpuOf(batches, index) / files,
    album: cpuOf(albumsOf(new World(catalog, seeded(SEED))), index) / ALBUMS,
  };
}

/** Untagged albums in a folder of no name: the titles alone have to find them. */
function albumsOf(world: World): MatchRequest[] {
  return Array.from({ length: ALBUMS }, () => {
    const tracks = world.album(15, 60)?.tracks ?? [];
    // Few albums are as long: a second one fills the drop, as when two discs lie in one folder.
    const more = world.album(15, 60)?.tracks ?? [];
    const files = [...tracks, ...more].slice(0, ALBUM_FILES).map((track, at) => ({
      file_id: `f${at}`,
      path: `New Folder/${at + 1} - ${track.title.replaceAll('/', '_')}.mp3`,
      duration_ms: track.duration_ms ?? null,
      tags: {},
    }));
    return { files, context: { type: 'spontaneous' } };
  });
}

/** CPU milliseconds of all of them; the first round warms up. */
function cpuOf(batches: readonly MatchRequest[], index: CatalogIndex): number {
  for (const batch of batches) matchBatch(batch, index);
  const before = process.cpuUsage();
  for (const batch of batches) matchBatch(batch, index);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
