import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from 'vitest';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { FileMatch } from '#lanes/music/core/match/match.types.ts';
import { openDatabase } from '#lanes/database.ts';
import { db, setDatabase } from '#ui/client/db.ts';
import { replaceRows } from '#lanes/music/ui/compare/replace-rows.ts';
import { job } from './fixtures.ts';

setDatabase(openDatabase());

const track = (patch: Partial<Track> = {}): Track => ({
  id: 't1',
  album_id: 'al',
  title: 'Title',
  artist_id: 'ar',
  artist: 'Artist',
  disc: 1,
  position: 1,
  duration_ms: 60_000,
  availability: 'available',
  ...patch,
});
const match: FileMatch = {
  file_id: 'f',
  group_id: 'g',
  track_id: 't1',
  confidence: 1,
  options: [],
  reasons: [],
  detected: { title: null, artist: null, disc: null, position: null },
};
const published = (id: string, completed_at: number) =>
  job(id, { matched_track_id: 't1', phase: 'published', status: 'COMPLETED', completed_at, sha256: id });

beforeEach(async () => {
  await Promise.all([db.jobs.clear(), db.tracks.clear()]);
});

it('UI-48 puts the new file beside the one that the present audio was made of', async () => {
  await db.tracks.put(track({ original_sha256: 'old' }));
  await db.jobs.bulkPut([job('new', { match }), published('old', 1), published('other', 2)]);
  const [row] = await replaceRows(['new']);
  expect([row?.job.id, row?.track?.title, row?.former?.id]).toEqual(['new', 'Title', 'old']);
});

it('UI-48 knows of no former file where this workstation did not take it in', async () => {
  await db.tracks.put(track({ original_sha256: 'elsewhere' }));
  await db.jobs.bulkPut([job('new', { match }), published('other', 2)]);
  expect((await replaceRows(['new']))[0]?.former).toBeNull();
});

it('UI-48 takes the last that was published where the catalog names no content', async () => {
  await db.tracks.put(track());
  await db.jobs.bulkPut([job('new', { match }), published('a', 1), published('b', 2)]);
  expect((await replaceRows(['new', 'gone'])).map(({ former }) => former?.id)).toEqual(['b']);
});
