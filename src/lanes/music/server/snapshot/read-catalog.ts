/** Reads all of a catalog a batch at a time, while others are served. */
import { setImmediate as breathe } from 'node:timers/promises';
import { CompactBuilder } from '#lanes/music/core/index/build.ts';
import type { Database, Reader } from '#server/store/schema.ts';
import { toAlbum, toArtist, toTrack } from '../store/rows.ts';

/** Milliseconds of work between two looks at what else is to be done. */
const WORK_MS = 10;
const BATCH = 500;

/** What becomes an index of it. Throws AbortError once `signal` says so. */
export async function readCatalog(db: Reader, signal: AbortSignal): Promise<CompactBuilder> {
  const builder = new CompactBuilder();
  await eachRow(db, 'artists', (row) => builder.addArtist(toArtist(row)), signal);
  await eachRow(db, 'albums', (row) => builder.addAlbum(toAlbum(row)), signal);
  await eachRow(db, 'tracks', (row) => builder.addTrack(toTrack(row)), signal);
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

/** Reads a table in batches; requests are answered in between. */
async function eachRow<T extends 'artists' | 'albums' | 'tracks'>(
  db: Reader,
  table: T,
  take: (row: Database[T]) => void,
  signal: AbortSignal,
): Promise<void> {
  // Any of the tables, to the compiler one of them.
  const query = db
    .selectFrom(table as 'artists')
    .selectAll()
    .orderBy('id')
    .limit(BATCH);
  let after: string | undefined = '';
  while (after !== undefined) {
    const rows: { id: string }[] = await query.where('id', '>', after).execute();
    for (const row of rows) take(row as Database[T]);
    after = rows.at(-1)?.id;
    if (after !== undefined) await breathe(undefined, { signal });
  }
}
