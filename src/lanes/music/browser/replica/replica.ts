/**
 * The offline copy of the catalog. Pages of the change feed (core/sync/feed.ts) are applied one transaction each, together
 * with the cursor that follows them, so a torn pull is simply continued.
 */
import type { Table } from 'dexie';
import * as v from 'valibot';
import {
  type Album,
  type Artist,
  type DownloadRequest,
  type Track,
  AlbumSchema,
  ArtistSchema,
  DownloadRequestSchema,
  StoredTrackSchema,
  type Change,
  type ChangesPage,
} from '#lanes/music/core/catalog.ts';
import { ok, type Result } from '#core/result.ts';
import { readFeed } from '#core/sync/feed.ts';
import type { CatalogClient } from '#lanes/music/http/catalog-client.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { EMPTY_REPLICA, readReplicaState, type ReplicaState } from '#adapters/browser/meta.ts';
import { inSlices } from './replica-base.ts';
import { forgetIndex, noteChanges } from './replica-changes.ts';
import { openKeptFiles, type KeptFiles } from '#adapters/browser/kept-files.ts';
import { takeSnapshot, worthTaking, type SnapshotClient } from './replica-snapshot.ts';

export interface ReplicaOptions {
  db: AccessionDb;
  /** One without snapshots is read page by page. */
  client: Pick<CatalogClient, 'changes'> & Partial<SnapshotClient>;
  files?: () => Promise<KeptFiles>;
  /** As of `IndexSource`. */
  leastStored?: number;
  /** Changes a page. */
  pageSize?: number;
  /** Before the copy is begun anew: what follows may be cut off. */
  onRestart?: () => Promise<void>;
  /** Before a page is applied: the server has lost the audio of these tracks, and asks for it. */
  onLostAudio?: (trackIds: readonly string[]) => Promise<void>;
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
      const total: Omit<Pulled, 'restarted'> = { applied: 0, skipped: [] };
      let looked = false;
      const pulled = await readFeed<ChangesPage>({
        state: () => readReplicaState(db),
        async jump(cursor, pages) {
          if (looked || (cursor !== null && pages !== FAR_BEHIND)) return false;
          looked = true;
          const taken = await loadAtOnce(options, cursor, signal);
          total.applied += taken ?? 0;
          return taken !== null;
        },
        changes: (cursor) => client.changes(cursor, limit, signal),
        async apply(page, cursor) {
          const lost = page.items.filter(hasLostAudio).map(({ id }) => id);
          if (lost.length > 0) await options.onLostAudio?.(lost);
          const skipped = await applyPage(db, page, cursor);
          if (skipped === null) return;
          total.applied += page.items.length;
          total.skipped.push(...skipped);
        },
        ...(options.onRestart ? { restart: options.onRestart } : {}),
        words: {
          refused: 'The server refused to list its catalog; it is tried again by itself.',
          changed: 'The server changed its catalog again; it is tried again by itself.',
          stuck: 'The change feed of the server does not advance.',
        },
      });
      return pulled.ok ? ok({ ...total, ...pulled.value }) : pulled;
    },
  };
}

function hasLostAudio({ kind, record }: Change): boolean {
  return kind === 'track' && typeof record === 'object' && record !== null && 'lost_sha256' in record;
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
  const options = { db, client: using, files: files ?? (() => openKeptFiles(db, 'index')) };
  return takeSnapshot(leastStored === undefined ? options : { ...options, leastStored }, found, signal);
}

/** Applies the page that follows `cursor`. Answers what was left out; null, having written nothing, when the replica is no longer there. */
async function applyPage(db: AccessionDb, page: ChangesPage, cursor: string | null): Promise<string[] | null> {
  const changes = await inSlices(sort(page.items));
  const tables = [db.artists, db.albums, db.tracks, db.requests, db.meta, db.changed];
  return db.transaction('rw', tables, async () => {
    const stored = await readReplicaState(db);
    const anew = cursor === null;
    if (!anew && stored.cursor !== cursor) return null;
    if (anew) await Promise.all([db.artists.clear(), db.albums.clear(), db.tracks.clear(), db.requests.clear()]);
    await write(db.artists, changes.artists, changes.gone.artist);
    await write(db.albums, changes.albums, changes.gone.album);
    await write(db.tracks, changes.tracks, changes.gone.track);
    await write(db.requests, changes.requests, changes.gone.download_request);
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
    return changes.skipped;
  });
}

/** Within a transaction, which lasts as long as something of it is under way. */
async function write<T>(table: Table<T, string>, rows: readonly T[], gone: readonly string[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) await table.bulkPut(rows.slice(at, at + ROWS_AT_ONCE));
  for (let at = 0; at < gone.length; at += ROWS_AT_ONCE) await table.bulkDelete(gone.slice(at, at + ROWS_AT_ONCE));
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
  const gone = { artist: [], album: [], track: [], download_request: [] };
  const out: Sorted = { artists: [], albums: [], tracks: [], requests: [], gone, skipped: [] };
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
      return take(ArtistSchema, record, out.artists);
    case 'album':
      return take(AlbumSchema, record, out.albums);
    case 'track':
      return take(StoredTrackSchema, record, out.tracks);
    case 'download_request':
      return take(DownloadRequestSchema, record, out.requests);
  }
}

function take<T extends v.GenericSchema>(schema: T, record: unknown, into: v.InferOutput<T>[]): boolean {
  const outcome = v.safeParse(schema, record);
  if (outcome.success) into.push(outcome.output);
  return outcome.success;
}
