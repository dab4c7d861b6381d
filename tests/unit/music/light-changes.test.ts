import { expect, it } from 'vitest';
import type { Track } from '#lanes/music/core/catalog.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { layOver } from '#lanes/music/core/index/overlay-changes.ts';
import { finishSteps } from '#lanes/music/core/index/text-index.ts';
import { COMPUTER, ROAD, catalogOf, fillers } from './small-catalog.ts';

const index = buildCatalogIndex(catalogOf([ROAD, COMPUTER, ...fillers(6)]));

/** What has to be found anew after this track became another one. */
function found(change: Partial<Track>): string[] {
  const track = index.track('track-0-3');
  if (track === null) throw new Error('the catalog has no such track');
  const changes = { artists: [], albums: [], tracks: [{ ...track, ...change }] };
  const laid = finishSteps(layOver(index, { ...changes, gone: { artists: [], albums: [], tracks: [] } }));
  expect(laid.tracks.get(track.id)).toEqual({ ...track, ...change });
  return laid.found.tracks.map(({ id }) => id);
}

it('REPLICA-15 a track that became available, or is credited otherwise, replaces its record and is not indexed again', () => {
  expect(found({ availability: 'available' })).toEqual([]);
  expect(found({ artist: 'The Tidewalkers & Friends' })).toEqual([]);
  for (const change of [{ title: 'Another' }, { duration_ms: 1000 }, { position: 40 }])
    expect(found(change)).toEqual(['track-0-3']);
});
