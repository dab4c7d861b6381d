/**
 * The first load from a snapshot of the server instead of page by page: the index comes ready-made, and the rows of
 * the replica are read from it.
 *
 *   listed --fetched, inflated, hashed--> index --tables emptied--> rows, a part at a time --+ index stored, named
 *      | none, cut, damaged, of another format or catalog                                    v
 *      +--> page by page, as without one                         complete, as of the snapshot's cursor
 *
 * A load that broke off in the middle is begun anew: until the end there is no cursor.
 */
import { createSHA256 } from 'hash-wasm';
import type { Table } from 'dexie';
import * as v from 'valibot';
import { CATALOG_FORMAT, unpackCatalog, openRows, type CompactRows } from '#lanes/music/core/index/compact-catalog.ts';
import { type DownloadRequest, SnapshotNoteSchema, type Snapshot } from '#lanes/music/core/catalog.ts';
import type { CatalogClient } from '#lanes/music/http/catalog-client.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { EMPTY_REPLICA, readReplicaState, type ReplicaState } from '#adapters/browser/meta.ts';
import { forgetIndex, readIndexState, type IndexState } from './replica-changes.ts';
import type { KeptFiles } from '#adapters/browser/kept-files.ts';
import { inSlices, isWritten, LEAST_STORED, underIndexLock } from './replica-base.ts';

/** What of the server a first load needs; an older server has no snapshots, and answers that there is none. */
export type SnapshotClient = Pick<CatalogClient, 'snapshot' | 'snapshotFile'>;

export interface SnapshotOptions {
  db: AccessionDb;
  client: SnapshotClient;
  files: () => Promise<KeptFiles>;
  /** Catalogs of fewer tracks are not stored as a file. */
  leastStored?: number;
}

const ROWS_A_TRANSACTION = 4000;
/** Rows that are made and handed to the database at once: some milliseconds. */
const ROWS_AT_ONCE = 250;

/**
 * The snapshot that is worth taking by a replica at `cursor` (null: it has nothing), or null: one in use is replaced
 * only where reading what it lacks would be more than half of the catalog.
 */
export async function worthTaking(
  client: SnapshotClient,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Snapshot | null> {
  const answer = await client.snapshot(cursor, signal);
  if (!answer.ok || answer.value.snapshot === null) return null;
  const { snapshot, ahead } = answer.value;
  if (snapshot.format !== CATALOG_FORMAT) return null;
  return cursor === null || (ahead !== null && ahead > snapshot.tracks / 2) ? snapshot : null;
}

/**
 * Replaces the replica by a snapshot. Answers how many rows it has; null where it cannot be used, and when somebody
 * else loads meanwhile or `signal` says stop: the replica is then read page by page from where it is.
 */
export async function takeSnapshot(
  options: SnapshotOptions,
  snapshot: Snapshot,
  signal?: AbortSignal,
): Promise<number | null> {
  const bytes = await download(options.client, snapshot, signal);
  const opened = bytes === null ? null : open(bytes, snapshot);
  if (bytes === null || opened === null || signal?.aborted === true) return null;
  const { db, files, leastStored = LEAST_STORED } = options;
  const load = loading(db, snapshot, await begin(db, snapshot), signal);
  const { artists, albums, tracks } = opened.columns;
  const { rows, requests } = opened;
  const parts = [
    () => load.rows(db.artists, artists.id.length, rows.artistAt),
    () => load.rows(db.albums, albums.id.length, rows.albumAt),
    () => load.rows(db.tracks, tracks.id.length, rows.trackAt),
  ];
  for (const part of parts) if (!(await part())) return null;
  const ended = await underIndexLock(async () => {
    const store = await files();
    const name = tracks.id.length < leastStored ? null : `snapshot-${crypto.randomUUID()}`;
    const written = name !== null && (await isWritten(store, name, [bytes]));
    const done = await load.end(requests, written ? name : null);
    const kept = (await readIndexState(db)).file?.name;
    await store.keepOnly((one) => one === kept);
    return done;
  });
  return ended ? artists.id.length + albums.id.length + tracks.id.length + requests.length : null;
}

/** The index of the snapshot, or null where it does not come whole. */
async function download(
  client: SnapshotClient,
  snapshot: Snapshot,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const answer = await client.snapshotFile(snapshot.name, signal);
  if (!answer.ok || answer.value.body === null) return null;
  try {
    const hasher = await createSHA256();
    const out = new Uint8Array(snapshot.bytes);
    let at = 0;
    const reader = answer.value.body.pipeThrough(new DecompressionStream('gzip')).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (at + value.length > out.length) {
        await reader.cancel();
        return null;
      }
      out.set(value, at);
      hasher.update(value);
      at += value.length;
    }
    return at === out.length && hasher.digest('hex') === snapshot.sha256 ? out : null;
  } catch {
    // Cut, no gzip, no memory for it, or stopped.
    return null;
  }
}

interface Opened {
  rows: CompactRows;
  columns: ReturnType<typeof unpackCatalog>;
  requests: DownloadRequest[];
}

function open(bytes: Uint8Array<ArrayBuffer>, snapshot: Snapshot): Opened | null {
  try {
    const columns = unpackCatalog(bytes.buffer);
    const note = v.safeParse(SnapshotNoteSchema, columns.note);
    if (!note.success) return null;
    const { catalog_id, cursor, requests } = note.output;
    if (catalog_id !== snapshot.catalog_id || cursor !== snapshot.cursor) return null;
    return { rows: openRows(columns), columns, requests };
  } catch {
    return null;
  }
}

/** Empties the replica; what the tables hold from now on is a part. Answers its version, which names this load. */
async function begin(db: AccessionDb, { catalog_id }: Snapshot): Promise<number> {
  const tables = [db.artists, db.albums, db.tracks, db.requests, db.meta, db.changed];
  return db.transaction('rw', tables, async () => {
    const version = (await readReplicaState(db)).version + 1;
    await Promise.all([db.artists.clear(), db.albums.clear(), db.tracks.clear(), db.requests.clear()]);
    await forgetIndex(db, version);
    await db.meta.put({ key: 'replica', value: { ...EMPTY_REPLICA, catalog_id, version } });
    return version;
  });
}

/** The load of this version of the replica. */
function loading(db: AccessionDb, { cursor }: Snapshot, begun: number, signal: AbortSignal | undefined) {
  /** Null when somebody else has begun a load meanwhile. */
  async function own(): Promise<ReplicaState | null> {
    const state = await readReplicaState(db);
    return state.version === begun && state.cursor === null && !state.complete ? state : null;
  }

  return {
    /** Fills a table; false when the load is no longer ours, or is to stop. */
    async rows<T>(table: Table<T, string>, count: number, make: (row: number) => T): Promise<boolean> {
      for (let from = 0; from < count; from += ROWS_A_TRANSACTION) {
        if (signal?.aborted === true) return false;
        const to = Math.min(count, from + ROWS_A_TRANSACTION);
        const rows = await inSlices(made(from, to, make));
        const goesOn = await db.transaction('rw', [table, db.meta], async () => {
          const state = await own();
          if (state === null) return false;
          for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) await table.bulkPut(rows.slice(at, at + ROWS_AT_ONCE));
          await db.meta.put({ key: 'replica', value: { ...state, [table.name]: to } satisfies ReplicaState });
          return true;
        });
        if (!goesOn) return false;
      }
      return true;
    },

    end: (requests: readonly DownloadRequest[], name: string | null): Promise<boolean> =>
      db.transaction('rw', [db.requests, db.meta], async () => {
        const state = await own();
        if (state === null) return false;
        await db.requests.bulkPut(requests);
        const version = begun + 1;
        const file = name === null ? null : { name, version };
        await db.meta.bulkPut([
          { key: 'replica', value: { ...state, version, cursor, complete: true } satisfies ReplicaState },
          { key: 'index', value: { pruned: version, file } satisfies IndexState },
        ]);
        return true;
      }),
  };
}

function* made<T>(from: number, to: number, make: (row: number) => T): Generator<void, T[]> {
  const out: T[] = [];
  for (let row = from; row < to; row++) {
    if (row % ROWS_AT_ONCE === 0) yield;
    out.push(make(row));
  }
  return out;
}
