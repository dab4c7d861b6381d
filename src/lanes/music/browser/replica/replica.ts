/**
 * The offline copy of the catalog. Pages of the change feed are applied one transaction each, together with
 * the cursor that follows them, so a torn pull is simply continued.
 *
 *   cursor --changes--> page --apply--> cursor' --> ... --> `more` is false: complete
 *      ^                 | other catalog_id, or cursor not known
 *      +---- null <------+ (the old copy stays until the first page of the new one replaces it)
 */
import * as v from 'valibot';
import {
  type Album,
  type Artist,
  type DownloadRequest,
  type ExternalIds,
  type Track,
  AlbumSchema,
  ArtistSchema,
  DownloadRequestSchema,
  StoredTrackSchema,
  type Change,
  type ChangesPage,
} from '#lanes/music/core/catalog.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { CatalogClient } from '#lanes/music/http/catalog-client.ts';
import type { ReplicaState } from '#adapters/browser/api.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { EMPTY_REPLICA, readReplicaState } from '#adapters/browser/meta.ts';
import { inSlices } from './replica-base.ts';
import { forgetIndex, noteChanges } from './replica-changes.ts';
import { openIndexFiles, type IndexFiles } from './replica-files.ts';
import { takeSnapshot, worthTaking, type SnapshotClient } from './replica-snapshot.ts';

export interface ReplicaOptions {
  db: AccessionDb;
  /** One without snapshots is read page by page. */
  client: Pick<CatalogClient, 'changes'> & Partial<SnapshotClient>;
  files?: () => Promise<IndexFiles>;
  /** As of `IndexSource`. */
  leastStored?: number;
  /** Changes a page. */
  pageSize?: number;
  /** Before the copy is begun anew: what follows may be cut off. */
  onRestart?: () => Promise<void>;
}

export interface Pulled {
  /** Changes applied. */
  applied: number;
  /** The copy was begun anew: the server's catalog is another one, or was put back to an older state. */
  restarted: boolean;
  /** Records that did not fit the schema and were left out, as `kind:id`. */
  skipped: string[];
}

export interface Replica {
  /** Pulls until nothing more is there. What was applied before a failure stays. */
  pull(signal?: AbortSignal): Promise<Result<Pulled>>;
}

const PAGE_SIZE = 5000;
/** Rows that are handed to the database at once: what comes meanwhile is answered in between. */
const ROWS_AT_ONCE = 500;

export function createReplica(options: ReplicaOptions): Replica {
  const { db, client } = options;
  const limit = options.pageSize ?? PAGE_SIZE;
  return {
    async pull(signal) {
      const total: Pulled = { applied: 0, restarted: false, skipped: [] };
      let state = await readReplicaState(db);
      let cursor = state.cursor;
      let looked = false;
      for (let pages = 0; ; pages++) {
        if (!looked && (cursor === null || pages === FAR_BEHIND)) {
          looked = true;
          const taken = await loadAtOnce(options, cursor, signal);
          if (taken !== null) {
            total.applied += taken;
            state = await readReplicaState(db);
            cursor = state.cursor;
          }
        }
        const answer = await client.changes(cursor, limit, signal);
        if (!answer.ok) return answer;
        const unknown = answer.value.kind === 'start_over';
        if (
          answer.value.kind === 'start_over' ||
          (cursor !== null && answer.value.page.catalog_id !== state.catalog_id)
        ) {
          if (cursor === null || total.restarted) {
            return fail(
              failure(
                'server_error',
                `The server ${unknown ? 'refused to list its catalog' : 'changed its catalog again'}; it is tried again by itself.`,
              ),
            );
          }
          await options.onRestart?.();
          total.restarted = true;
          cursor = null;
          continue;
        }
        const { page } = answer.value;
        if (page.more && page.next_cursor === cursor) {
          return fail(failure('server_error', 'The change feed of the server does not advance.'));
        }
        const applied = await applyPage(db, page, cursor);
        // Another tab was faster: go on from where it got.
        if (applied !== null) {
          total.applied += page.items.length;
          total.skipped.push(...applied.skipped);
        }
        state = applied?.state ?? (await readReplicaState(db));
        cursor = state.cursor;
        if (!page.more) return ok(total);
      }
    },
  };
}

/** Pages after which a replica that still lacks some asks whether a snapshot would be quicker. */
const FAR_BEHIND = 5;

/** Takes the server's snapshot where there is one that is worth it; answers its rows, or null. */
async function loadAtOnce(
  { db, client, files, leastStored }: ReplicaOptions,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<number | null> {
  const { snapshot, snapshotFile } = client;
  if (snapshot === undefined || snapshotFile === undefined) return null;
  const using = { snapshot, snapshotFile };
  const found = await worthTaking(using, cursor, signal);
  if (found === null) return null;
  const options = { db, client: using, files: files ?? (() => openIndexFiles(db)) };
  return takeSnapshot(leastStored === undefined ? options : { ...options, leastStored }, found, signal);
}

/** Everything that the matcher's index is built from, as of one moment. */
export interface CatalogSnapshot {
  version: number;
  artists: Artist[];
  albums: Album[];
  tracks: Track[];
  requests: DownloadRequest[];
}

/** Reads the whole replica in one transaction. */
export async function loadSnapshot(db: AccessionDb): Promise<CatalogSnapshot> {
  return db.transaction('r', [db.artists, db.albums, db.tracks, db.requests, db.meta], async () => {
    const [state, artists, albums, tracks, requests] = await Promise.all([
      readReplicaState(db),
      db.artists.toArray(),
      db.albums.toArray(),
      db.tracks.toArray(),
      db.requests.toArray(),
    ]);
    return { version: state.version, artists, albums, tracks, requests };
  });
}

/** Applies the page that follows `cursor`. Answers null, having written nothing, when the replica is no longer there. */
async function applyPage(
  db: AccessionDb,
  page: ChangesPage,
  cursor: string | null,
): Promise<{ state: ReplicaState; skipped: string[] } | null> {
  const changes = await inSlices(sort(page.items));
  const tables = [db.artists, db.albums, db.tracks, db.requests, db.meta, db.changed];
  return db.transaction('rw', tables, async () => {
    const stored = await readReplicaState(db);
    const anew = cursor === null;
    if (!anew && stored.cursor !== cursor) return null;
    if (anew) await Promise.all([db.artists.clear(), db.albums.clear(), db.tracks.clear(), db.requests.clear()]);
    await inParts(changes.artists, (part) => db.artists.bulkPut(part));
    await inParts(changes.gone.artist, (part) => db.artists.bulkDelete(part));
    await inParts(changes.albums, (part) => db.albums.bulkPut(part));
    await inParts(changes.gone.album, (part) => db.albums.bulkDelete(part));
    await inParts(changes.tracks, (part) => db.tracks.bulkPut(part));
    await inParts(changes.gone.track, (part) => db.tracks.bulkDelete(part));
    await inParts(changes.requests, (part) => db.requests.bulkPut(part));
    await inParts(changes.gone.download_request, (part) => db.requests.bulkDelete(part));
    const changed = anew || page.items.length > 0;
    const before = anew ? EMPTY_REPLICA : stored;
    const state: ReplicaState = {
      catalog_id: page.catalog_id,
      cursor: page.next_cursor,
      version: stored.version + (changed ? 1 : 0),
      // Counting a large table takes long: in the middle of a load an estimate will do.
      artists: page.more ? before.artists + changes.artists.length : await db.artists.count(),
      albums: page.more ? before.albums + changes.albums.length : await db.albums.count(),
      tracks: page.more ? before.tracks + changes.tracks.length : await db.tracks.count(),
      complete: !page.more || (before.complete && !anew),
    };
    if (anew) await forgetIndex(db, state.version);
    else if (stored.complete) await noteChanges(db, changes, state.version);
    if (changed || JSON.stringify(state) !== JSON.stringify(stored))
      await db.meta.put({ key: 'replica', value: state });
    return { state, skipped: changes.skipped };
  });
}

/** Within a transaction, which lasts as long as something of it is under way. */
async function inParts<T>(rows: readonly T[], write: (part: T[]) => PromiseLike<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) await write(rows.slice(at, at + ROWS_AT_ONCE));
}

type Kind = Change['kind'];

interface Sorted {
  artists: Artist[];
  albums: Album[];
  tracks: Track[];
  requests: DownloadRequest[];
  gone: Record<Kind, string[]>;
  skipped: string[];
}

/** The last word on each record, parsed, by table. A record that cannot be read does not hold up the others. */
function* sort(items: readonly Change[]): Generator<void, Sorted> {
  const last = new Map<string, Change>();
  for (const change of items) last.set(`${change.kind}:${change.id}`, change);
  const out: Sorted = {
    artists: [],
    albums: [],
    tracks: [],
    requests: [],
    gone: { artist: [], album: [], track: [], download_request: [] },
    skipped: [],
  };
  let done = 0;
  for (const [name, change] of last) {
    if (done++ % 100 === 0) yield;
    if (change.op === 'delete') out.gone[change.kind].push(change.id);
    else if (!put(out, change)) out.skipped.push(name);
  }
  return out;
}

function put(out: Sorted, { kind, record }: Change): boolean {
  switch (kind) {
    case 'artist':
      return take(ArtistSchema, record, (row) => out.artists.push(row));
    case 'album':
      return take(AlbumSchema, record, (row) => out.albums.push(row));
    case 'track':
      return take(StoredTrackSchema, record, (row) => out.tracks.push(row));
    case 'download_request':
      return take(DownloadRequestSchema, record, (row) => out.requests.push(row));
  }
}

function take<T extends v.GenericSchema>(schema: T, record: unknown, add: (row: v.InferOutput<T>) => void): boolean {
  const outcome = v.safeParse(schema, record);
  if (outcome.success) add(outcome.output);
  return outcome.success;
}
