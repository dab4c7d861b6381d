/** Reads all of a catalog a batch at a time, while others are served. */
import { setImmediate as breathe } from 'node:timers/promises';
import { CompactBuilder } from '#lanes/music/core/index/build.ts';
import { NamesBuilder } from '#lanes/music/core/index/build-names.ts';
import type { Reader } from '#server/store/schema.ts';
import { toAlbum, toArtist, toTrack } from '../store/rows.ts';

/** Milliseconds of work between two looks at what else is to be done. */
const WORK_MS = 10;
const BATCH = 500;

/** What becomes an index of it. Throws AbortError once `signal` says so. */
export async function readCatalog(db: Reader, signal: AbortSignal): Promise<CompactBuilder> {
  const builder = new CompactBuilder({ hasDistinctTracks: true });
  const artists = db.selectFrom('artists').selectAll().orderBy('id').limit(BATCH);
  const albums = db.selectFrom('albums').selectAll().orderBy('id').limit(BATCH);
  const tracks = db.selectFrom('tracks').selectAll().orderBy('id').limit(BATCH);
  const each = eachRow(signal);
  await each(
    (after) => artists.where('id', '>', after).execute(),
    (row) => builder.addArtist(toArtist(row)),
  );
  await each(
    (after) => albums.where('id', '>', after).execute(),
    (row) => builder.addAlbum(toAlbum(row)),
  );
  await each(
    (after) => tracks.where('id', '>', after).execute(),
    (row) => builder.addTrack(toTrack(row)),
  );
  return builder;
}

/** What becomes an index of its words alone. Throws AbortError once `signal` says so. */
export async function readNames(db: Reader, signal: AbortSignal): Promise<NamesBuilder> {
  const builder = new NamesBuilder();
  const artists = db.selectFrom('artists').select(['id', 'name']).orderBy('id').limit(BATCH);
  const albums = db.selectFrom('albums').select(['id', 'title', 'artist', 'year']).orderBy('id').limit(BATCH);
  const tracks = db.selectFrom('tracks').select(['id', 'album_id', 'title', 'artist']).orderBy('id').limit(BATCH);
  const each = eachRow(signal);
  await each(
    (after) => artists.where('id', '>', after).execute(),
    (row) => builder.addArtist(row),
  );
  await each(
    (after) => albums.where('id', '>', after).execute(),
    (row) => builder.addAlbum(row),
  );
  await each(
    (after) => tracks.where('id', '>', after).execute(),
    (row) => builder.addTrack(row),
  );
  return builder;
}

/** Runs work that pauses to its end; others have their turn every few milliseconds. */
export async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < WORK_MS) continue;
    await breathe(undefined, { signal });
    begun = performance.now();
  }
}

/** Reads a table in batches, in the order of its ids; requests are answered in between. */
const eachRow =
  (signal: AbortSignal) =>
  async <T extends { id: string }>(read: (after: string) => Promise<T[]>, take: (row: T) => void): Promise<void> => {
    let after: string | undefined = '';
    while (after !== undefined) {
      const rows: T[] = await read(after);
      for (const row of rows) take(row);
      after = rows.at(-1)?.id;
      if (after !== undefined) await breathe(undefined, { signal });
    }
  };
