/** The one place where artists, albums and tracks are written: rows, change feed and search index together. */
import { Indexing, type SearchEntry } from '#server/search/search-index.ts';
import { appendChanges, type ChangedEntity } from '#server/store/feed.ts';
import { chunks, findRows, upsert, type Breathe, type Write } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { TRACK, type AlbumTable, type ArtistTable, type TrackTable } from './rows.ts';

export interface CatalogWrites {
  artists: Write<ArtistTable>[];
  albums: Write<AlbumTable>[];
  tracks: Write<TrackTable>[];
}

/** Of a track's row what imports and edits decide: availability and audio are the commits' alone. */
const [, ...FIELDS] = TRACK;
const EDITED = [...FIELDS, 'external_ids', 'version'] as const;

const rowsOf = <T>(writes: readonly Write<T>[]): T[] => writes.map(({ row }) => row);

/** Writes everything; the caller has made sure that references exist and positions are free in the end. */
export async function applyCatalog(tx: Tx, writes: CatalogWrites): Promise<void> {
  const moving = writes.tracks.filter(({ row, before }) => before !== null && place(before) !== place(row));
  await makeRoom(
    tx,
    moving.map(({ row }) => row.id),
  );
  const writer = new CatalogWriter(tx);
  await writer.write(writes);
  await writer.end();
}

/**
 * The same for many rows, a part at a time: artists before their albums, albums before their tracks; tracks that change
 * places were given room before (`makeRoom`).
 */
export class CatalogWriter {
  readonly #tx: Tx;
  readonly #breathe: Breathe;
  readonly #indexing: Indexing;
  readonly #changed: ChangedEntity[] = [];

  constructor(tx: Tx, breathe: Breathe = async () => {}) {
    this.#tx = tx;
    this.#breathe = breathe;
    this.#indexing = new Indexing(tx, breathe);
  }

  async write({ artists = [], albums = [], tracks = [] }: Partial<CatalogWrites>): Promise<void> {
    const { length } = this.#changed;
    await upsert(this.#tx, 'artists', rowsOf(artists), {}, this.#breathe);
    await upsert(this.#tx, 'albums', rowsOf(albums), {}, this.#breathe);
    await upsert(this.#tx, 'tracks', rowsOf(tracks), { columns: EDITED }, this.#breathe);
    for (const { row } of artists) this.#changed.push({ kind: 'artist', entity_id: row.id });
    for (const { row } of albums) this.#changed.push({ kind: 'album', entity_id: row.id });
    for (const { row } of tracks) this.#changed.push({ kind: 'track', entity_id: row.id });
    if (this.#changed.length > length)
      await index(this.#tx, { artists, albums, tracks }, this.#indexing, this.#breathe);
  }

  /** The feed comes last: its counter is locked until the commit. */
  async end(): Promise<void> {
    await this.#indexing.end();
    await appendChanges(this.#tx, this.#changed, this.#breathe);
  }
}

/** Tracks that change places would meet on the way; until all have moved, each waits on the disc below zero. */
export async function makeRoom(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const part of chunks(ids))
    await tx
      .updateTable('tracks')
      .set((eb) => ({ disc: eb(eb.val(-1), '-', eb.ref('disc')) }))
      .where('id', 'in', part)
      .execute();
}

/** A track's place; no two tracks may have the same. */
export function place(track: Pick<TrackTable, 'album_id' | 'disc' | 'position'>): string {
  return `${track.album_id}/${track.disc}/${track.position}`;
}

type EntryTrack = Pick<TrackTable, 'id' | 'title' | 'artist' | 'album_id'>;

/** By which texts an artist, an album and a track are found. */
export const entryOf = {
  artist: ({ id, name }: Pick<ArtistTable, 'id' | 'name'>): SearchEntry => ({ kind: 'artist', id, texts: [name] }),
  album: ({ id, title, artist, year }: Pick<AlbumTable, 'id' | 'title' | 'artist' | 'year'>): SearchEntry => ({
    ...{ kind: 'album', id },
    texts: [title, artist, String(year ?? '')],
  }),
  track: ({ id, title, artist }: EntryTrack, album: string): SearchEntry => ({
    ...{ kind: 'track', id },
    texts: [title, artist, album],
  }),
};

async function index(
  tx: Tx,
  { artists, albums, tracks }: CatalogWrites,
  indexing: Indexing,
  breathe: Breathe,
): Promise<void> {
  const titles = new Map(albums.map(({ row }) => [row.id, row.title]));
  const unknown = new Set(tracks.map(({ row }) => row.album_id).filter((id) => !titles.has(id)));
  for (const { id, title } of (await findRows(tx, 'albums', [...unknown], breathe)).values()) titles.set(id, title);
  const trackEntry = (row: EntryTrack): SearchEntry => entryOf.track(row, titles.get(row.album_id) ?? '');
  const entries = [
    ...artists.map(({ row, before }) => ({ before, entry: entryOf.artist(row) })),
    ...albums.map(({ row, before }) => ({ before, entry: entryOf.album(row) })),
    ...tracks.map(({ row, before }) => ({ before, entry: trackEntry(row) })),
  ];
  const known = entries.filter(({ before }) => before !== null).map(({ entry }) => entry);
  // Tracks are found by their album's title, too.
  const retitled = albums.filter(({ row, before }) => before !== null && before.title !== row.title);
  const written = new Set(tracks.map(({ row }) => row.id));
  for (const part of chunks(retitled.map(({ row }) => row.id))) {
    const query = tx.selectFrom('tracks').select(['id', 'title', 'artist', 'album_id']).where('album_id', 'in', part);
    for (const row of await query.execute()) if (!written.has(row.id)) known.push(trackEntry(row));
  }
  const fresh = entries.filter(({ before }) => before === null).map(({ entry }) => entry);
  await indexing.put({ fresh, known });
}
