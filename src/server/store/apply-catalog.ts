/** The one place where artists, albums and tracks are written: rows, change feed and search index together. */
import { indexEntries, type Breathe, type SearchEntry } from '../search/search-index.ts';
import { chunks } from './chunks.ts';
import { appendChanges, type ChangedEntity } from './feed.ts';
import type { Write } from './rows.ts';
import type { AlbumTable, ArtistTable, TrackTable, Tx } from './schema.ts';

export interface CatalogWrites {
  artists: Write<ArtistTable>[];
  albums: Write<AlbumTable>[];
  tracks: Write<TrackTable>[];
}

/** Writes everything; the caller has made sure that references exist and positions are free in the end. */
export async function applyCatalog(tx: Tx, writes: CatalogWrites, breathe: Breathe = async () => {}): Promise<void> {
  await writeArtists(tx, writes.artists, breathe);
  await writeAlbums(tx, writes.albums, breathe);
  await writeTracks(tx, writes.tracks, breathe);
  const changed: ChangedEntity[] = [
    ...writes.artists.map(({ row }) => ({ kind: 'artist' as const, entity_id: row.id })),
    ...writes.albums.map(({ row }) => ({ kind: 'album' as const, entity_id: row.id })),
    ...writes.tracks.map(({ row }) => ({ kind: 'track' as const, entity_id: row.id })),
  ];
  await appendChanges(tx, changed);
  await index(tx, writes, breathe);
}

async function writeArtists(tx: Tx, writes: readonly Write<ArtistTable>[], breathe: Breathe): Promise<void> {
  for (const part of chunks(writes, 5)) {
    await tx
      .insertInto('artists')
      .values(part.map(({ row }) => row))
      .onConflict((c) =>
        c.column('id').doUpdateSet((eb) => ({
          name: eb.ref('excluded.name'),
          name_key: eb.ref('excluded.name_key'),
          external_ids: eb.ref('excluded.external_ids'),
          version: eb.ref('excluded.version'),
        })),
      )
      .execute();
    await breathe();
  }
}

async function writeAlbums(tx: Tx, writes: readonly Write<AlbumTable>[], breathe: Breathe): Promise<void> {
  for (const part of chunks(writes, 11)) {
    await tx
      .insertInto('albums')
      .values(part.map(({ row }) => row))
      .onConflict((c) =>
        c.column('id').doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          artist_id: eb.ref('excluded.artist_id'),
          artist: eb.ref('excluded.artist'),
          year: eb.ref('excluded.year'),
          is_compilation: eb.ref('excluded.is_compilation'),
          discs: eb.ref('excluded.discs'),
          track_count: eb.ref('excluded.track_count'),
          external_ids: eb.ref('excluded.external_ids'),
          sort_key: eb.ref('excluded.sort_key'),
          version: eb.ref('excluded.version'),
        })),
      )
      .execute();
    await breathe();
  }
}

async function writeTracks(tx: Tx, writes: readonly Write<TrackTable>[], breathe: Breathe): Promise<void> {
  // Tracks that change places would meet on the way; until all have moved, each waits on the disc below zero.
  const moving = writes
    .filter(({ row, before }) => before !== null && place(before) !== place(row))
    .map(({ row }) => row.id);
  for (const part of chunks(moving)) {
    await tx
      .updateTable('tracks')
      .set((eb) => ({ disc: eb(eb.val(-1), '-', eb.ref('disc')) }))
      .where('id', 'in', part)
      .execute();
  }
  for (const part of chunks(writes, 15)) {
    await tx
      .insertInto('tracks')
      .values(part.map(({ row }) => row))
      // Availability and audio are the commits' alone: no import or edit resets them.
      .onConflict((c) =>
        c.column('id').doUpdateSet((eb) => ({
          album_id: eb.ref('excluded.album_id'),
          title: eb.ref('excluded.title'),
          artist_id: eb.ref('excluded.artist_id'),
          artist: eb.ref('excluded.artist'),
          disc: eb.ref('excluded.disc'),
          position: eb.ref('excluded.position'),
          duration_ms: eb.ref('excluded.duration_ms'),
          external_ids: eb.ref('excluded.external_ids'),
          version: eb.ref('excluded.version'),
        })),
      )
      .execute();
    await breathe();
  }
}

/** Where a track stands; no two tracks may stand in the same place. */
export function place(track: Pick<TrackTable, 'album_id' | 'disc' | 'position'>): string {
  return `${track.album_id}/${track.disc}/${track.position}`;
}

async function index(tx: Tx, writes: CatalogWrites, breathe: Breathe): Promise<void> {
  const fresh: SearchEntry[] = [];
  const known: SearchEntry[] = [];
  const put = (before: object | null, entry: SearchEntry): void => void (before === null ? fresh : known).push(entry);
  const titles = new Map<string, string>();
  for (const { row, before } of writes.artists) put(before, { kind: 'artist', id: row.id, texts: [row.name] });
  for (const { row, before } of writes.albums) {
    titles.set(row.id, row.title);
    put(before, { kind: 'album', id: row.id, texts: [row.title, row.artist, String(row.year ?? '')] });
  }
  const unknownAlbums = new Set(writes.tracks.map(({ row }) => row.album_id).filter((id) => !titles.has(id)));
  for (const part of chunks([...unknownAlbums])) {
    for (const row of await tx.selectFrom('albums').select(['id', 'title']).where('id', 'in', part).execute())
      titles.set(row.id, row.title);
  }
  const entryOf = (row: Pick<TrackTable, 'id' | 'title' | 'artist' | 'album_id'>): SearchEntry => {
    return { kind: 'track', id: row.id, texts: [row.title, row.artist, titles.get(row.album_id) ?? ''] };
  };
  const written = new Set(writes.tracks.map(({ row }) => row.id));
  for (const { row, before } of writes.tracks) put(before, entryOf(row));
  // Tracks are found by their album's title, too.
  const retitled = writes.albums
    .filter(({ row, before }) => before !== null && before.title !== row.title)
    .map(({ row }) => row.id);
  for (const part of chunks(retitled)) {
    const rows = await tx
      .selectFrom('tracks')
      .select(['id', 'title', 'artist', 'album_id'])
      .where('album_id', 'in', part)
      .execute();
    for (const row of rows) if (!written.has(row.id)) known.push(entryOf(row));
  }
  if (fresh.length > 0) await indexEntries(tx, fresh, true, breathe);
  if (known.length > 0) await indexEntries(tx, known, false, breathe);
}
