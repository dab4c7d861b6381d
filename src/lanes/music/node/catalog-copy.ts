/**
 * The worker's copy of the catalog, in memory: the server's snapshot or the change feed from its start, then what changed
 * since, laid over it. The same indexes and the same matcher as the app's.
 */
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { AccessionError } from '#core/errors.ts';
import {
  type Album,
  type Artist,
  type ChangesPage,
  type DownloadRequest,
  type Track,
  SnapshotNoteSchema,
} from '#lanes/music/core/catalog.ts';
import { CATALOG_FORMAT, unpackCatalog } from '#lanes/music/core/index/compact-catalog.ts';
import { openCompactIndex, type CompactIndex, buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { ChangedRecords } from '#lanes/music/core/index/overlay-changes.ts';
import { openOverlayIndex } from '#lanes/music/core/index/overlay-index.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { readFeed } from '#core/sync/feed.ts';
import type { CatalogClient } from '#lanes/music/http/catalog-client.ts';
import { catalogOver, type MusicCatalog } from '#lanes/music/core/run/ports.ts';

const PAGE = 1000;
/** Changes above the base from which it is built anew instead of searched beside it. */
const MOST_CHANGES = 20_000;

export class CatalogCopy {
  readonly #client: Pick<CatalogClient, 'changes' | 'snapshot' | 'snapshotFile'>;
  #base: CompactIndex | null = null;
  #changes = new ChangedRecords();
  readonly #requests = new Map<string, DownloadRequest>();
  #cursor: string | null = null;
  #catalogId: string | null = null;
  #index: CatalogIndex | null = null;
  /** Of the base: track by what its audio was made from. */
  #contents: ReadonlyMap<string, string> | null = null;

  constructor(client: Pick<CatalogClient, 'changes' | 'snapshot' | 'snapshotFile'>) {
    this.#client = client;
  }

  /** The catalog as the server has it now. Throws AccessionError where it cannot be asked. */
  async refresh(): Promise<CatalogIndex> {
    const read = await readFeed<ChangesPage>({
      state: () => Promise.resolve({ catalog_id: this.#catalogId, cursor: this.#cursor }),
      jump: async (cursor, pages) => pages === 0 && cursor === null && this.#loadSnapshot(),
      changes: (cursor) => this.#client.changes(cursor, PAGE),
      apply: (page) => {
        this.#catalogId = page.catalog_id;
        for (const change of page.items) this.#take(change);
        this.#cursor = page.next_cursor;
        return Promise.resolve();
      },
      restart: () => Promise.resolve(this.#forget()),
      words: {
        refused: 'The server refused to list its catalog.',
        changed: 'The server changed its catalog again.',
        stuck: 'The change feed of the server does not advance.',
      },
    });
    if (!read.ok) throw new AccessionError(read.failure);
    return this.index();
  }

  /** As of the last `refresh`. */
  index(): CatalogIndex {
    this.#index ??= this.#build();
    return this.#index;
  }

  /** As the matcher reads it: brought up to what the server has before each look at the index. */
  catalog(held: ReadonlyMap<string, string>): MusicCatalog {
    return {
      ...catalogOver(() => this.index()),
      isCurrent: true,
      index: () => this.refresh(),
      id: () => Promise.resolve(this.#catalogId),
      madeFrom: (contents) =>
        Promise.resolve(
          new Map(
            contents.flatMap((sha256) => {
              const track = this.#madeFrom(sha256);
              return track ? [[sha256, track]] : [];
            }),
          ),
        ),
      request: (id) => Promise.resolve(this.#requests.get(id)),
      held: () => held,
    };
  }

  /** The track whose audio was made from the content of this SHA-256; null where none is. */
  #madeFrom(sha256: string): Track | null {
    this.#contents ??= contentsOf(this.#base);
    const changed = [...this.#changes.tracks.values()].find((track) => track?.original_sha256 === sha256);
    if (changed) return changed.availability === 'available' ? changed : null;
    const id = this.#contents.get(sha256);
    const track = id === undefined ? null : this.index().track(id);
    return track?.original_sha256 === sha256 && track.availability === 'available' ? track : null;
  }

  get cursor(): string {
    return this.#cursor ?? '';
  }

  /** Pending ones, oldest first. */
  pending(): DownloadRequest[] {
    return [...this.#requests.values()]
      .filter((request) => request.status === 'pending')
      .sort((a, b) => a.created_at - b.created_at);
  }

  #forget(): void {
    this.#base = null;
    this.#contents = null;
    this.#changes = new ChangedRecords();
    this.#requests.clear();
    this.#cursor = null;
    this.#catalogId = null;
    this.#index = null;
  }

  /** A first load of a large catalog; a server without a snapshot is read from the feed's start. */
  async #loadSnapshot(): Promise<boolean> {
    const answer = await this.#client.snapshot(null);
    if (!answer.ok || answer.value.snapshot?.format !== CATALOG_FORMAT) return false;
    const file = await this.#client.snapshotFile(answer.value.snapshot.name);
    if (!file.ok) return false;
    const bytes = gunzipSync(new Uint8Array(await file.value.arrayBuffer()));
    const base = openCompactIndex(unpackCatalog(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
    const note = v.safeParse(SnapshotNoteSchema, base.compact.note);
    if (!note.success) return false;
    this.#base = base;
    this.#catalogId = note.output.catalog_id;
    this.#cursor = note.output.cursor;
    for (const request of note.output.requests) this.#requests.set(request.id, request);
    return true;
  }

  #take(change: { kind: string; id: string; record: unknown }): void {
    this.#index = null;
    const { artists, albums, tracks } = this.#changes;
    const changed: Record<string, Map<string, unknown>> = { artist: artists, album: albums, track: tracks };
    // Of the server's own making; the client parsed the page.
    const records = changed[change.kind];
    if (records) records.set(change.id, change.record);
    else if (change.record === null) this.#requests.delete(change.id);
    else this.#requests.set(change.id, change.record as DownloadRequest);
  }

  #build(): CatalogIndex {
    if (this.#base === null || this.#changes.count > MOST_CHANGES) {
      this.#base = buildCatalogIndex(this.#whole());
      this.#contents = null;
      this.#changes = new ChangedRecords();
      return this.#base;
    }
    return this.#changes.count === 0 ? this.#base : openOverlayIndex(this.#base, this.#changes.changes());
  }

  /** Everything as rows: what the base has and the changes do not speak of, and what they say. */
  #whole(): { artists: Artist[]; albums: Album[]; tracks: Track[] } {
    const { artists, albums, tracks } = this.#changes.changes();
    return {
      artists: [...unchanged(rowsOf(this.#base, 'artists'), this.#changes.artists), ...artists],
      albums: [...unchanged(rowsOf(this.#base, 'albums'), this.#changes.albums), ...albums],
      tracks: [...unchanged(rowsOf(this.#base, 'tracks'), this.#changes.tracks), ...tracks],
    };
  }
}

function contentsOf(base: CompactIndex | null): Map<string, string> {
  const found = new Map<string, string>();
  if (base === null) return found;
  const { extra } = base.compact.tracks;
  for (let row = 0; row < extra.length; row++) {
    if (extra[row] === 0) continue;
    const { id, original_sha256 } = base.rows.trackAt(row);
    if (original_sha256 !== undefined) found.set(original_sha256, id);
  }
  return found;
}

interface Rows {
  artists: Artist;
  albums: Album;
  tracks: Track;
}

function* rowsOf<K extends keyof Rows>(base: CompactIndex | null, kind: K): Generator<Rows[K]> {
  if (base === null) return;
  const { artistAt, albumAt, trackAt } = base.rows;
  const at: { [one in keyof Rows]: (row: number) => Rows[one] } = {
    artists: artistAt,
    albums: albumAt,
    tracks: trackAt,
  };
  for (let row = 0; row < base.compact[kind].id.length; row++) yield at[kind](row);
}

function* unchanged<T extends { id: string }>(rows: Iterable<T>, changes: ReadonlyMap<string, unknown>): Generator<T> {
  for (const row of rows) if (!changes.has(row.id)) yield row;
}
