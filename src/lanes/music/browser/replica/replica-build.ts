import type { EntityTable } from 'dexie';
import { CompactBuilder, type Built } from '#lanes/music/core/index/build.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';

/** What a file of the index says about itself. */
export interface IndexNote {
  catalog_id: string | null;
  /** Of the replica: what changed afterwards is laid over. */
  version: number;
}

/** Milliseconds of work between two looks at what else is to be done. */
const WORK_MS = 15;
/** Rows that are read at once. */
const BATCH = 2000;

/** Runs work that pauses to its end, and lets messages in every few milliseconds. */
export async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < WORK_MS) continue;
    await breathe();
    begun = performance.now();
  }
}

/** A turn of the event loop; a timer would be slowed down in the background. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/**
 * Builds the index from the rows of the replica, a batch at a time. What changes while they are read is listed as
 * changed since the noted version, and laid over: whether a batch has it already does not matter. Null while the
 * replica is not complete: nothing is listed then.
 */
export async function buildFromRows(db: AccessionDb): Promise<(Built & { note: IndexNote }) | null> {
  const { catalog_id, version, complete } = await readReplicaState(db);
  if (!complete) return null;
  const note: IndexNote = { catalog_id, version };
  const builder = new CompactBuilder();
  await eachRow(db.artists, (row) => builder.addArtist(row));
  await eachRow(db.albums, (row) => builder.addAlbum(row));
  await eachRow(db.tracks, (row) => builder.addTrack(row));
  return { ...(await inSlices(builder.steps(note))), note };
}

async function eachRow<T extends { id: string }>(table: EntityTable<T, 'id'>, take: (row: T) => void): Promise<void> {
  let last = '';
  for (;;) {
    const rows: T[] = await table.where(':id').above(last).limit(BATCH).toArray();
    await inSlices(
      (function* () {
        for (const [n, row] of rows.entries()) {
          if (n % 100 === 0) yield;
          take(row);
        }
      })(),
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}
