/** The one place where artists, albums and tracks are written: rows, change feed and search index together. */
import { indexEntries, type SearchEntry } from '#server/search/search-index.ts';
import { appendChanges } from '#server/store/feed.ts';
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
export async function applyCatalog(tx: Tx, writes: CatalogWrites, breathe: Breathe = async () => {}): Promise<void> {
  const { artists, albums, tracks } = writes;
  await upsert(tx, 'artists', rowsOf(artists), {}, breathe);
  await upsert(tx, 'albums', rowsOf(albums), {}, breathe);
  await makeRoom(tx, tracks);
  await upsert(tx, 'tracks', rowsOf(tracks), { columns: EDITED }, breathe);
  const changed = [
    ...artists.map(({ row }) => ({ kind: 'artist', entity_id: row.id })),
    ...albums.map(({ row }) => ({ kind: 'album', entity_id: row.id })),
    ...tracks.map(({ row }) => ({ kind: 'track', entity_id: row.id })),
  ];
  await breathe();
  await appendChanges(tx, changed, breathe);
  await breathe();
  await index(tx, writes, breathe);
}

/** Tracks that change places would meet on the way; until all have moved, each waits on the disc below zero. */
async function makeRoom(tx: Tx, writes: readonly Write<TrackTable>[]): Promise<void> {
  const moving = writes.filter(({ row, before }) => before !== null && place(before) !== place(row));
  for (const part of chunks(moving.map(({ row }) => row.id)))
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

async function index(tx: Tx, { artists, albums, tracks }: CatalogWrites, breathe: Breathe): Promise<void> {
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
  await indexEntries(tx, { fresh, known }, breathe);
}
