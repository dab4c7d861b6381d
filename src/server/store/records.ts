/** Rows of the database as the records of the wire. */
import type { Album, Artist, DownloadRequest, ExternalIds, Track } from '#core/music/catalog.ts';
import type { AlbumTable, ArtistTable, DownloadRequestTable, TrackTable } from './schema.ts';

export function toArtist(row: Pick<ArtistTable, 'id' | 'name' | 'external_ids'>): Artist {
  return { id: row.id, name: row.name, ...externalIds(row.external_ids) };
}

export function toAlbum(row: Omit<AlbumTable, 'sort_key' | 'version'>): Album {
  return {
    id: row.id,
    title: row.title,
    artist_id: row.artist_id,
    artist: row.artist,
    year: row.year,
    is_compilation: row.is_compilation === 1,
    discs: row.discs,
    track_count: row.track_count,
    ...externalIds(row.external_ids),
  };
}

export function toTrack(row: TrackTable): Track {
  return {
    id: row.id,
    album_id: row.album_id,
    title: row.title,
    artist_id: row.artist_id,
    artist: row.artist,
    disc: row.disc,
    position: row.position,
    duration_ms: row.duration_ms,
    availability: row.availability,
    ...(row.original_sha256 === null ? {} : { original_sha256: row.original_sha256 }),
    ...externalIds(row.external_ids),
  };
}

export function toRequest(row: DownloadRequestTable): DownloadRequest {
  return { ...row };
}

/** JSON text with sorted keys, so that the same ids in another order are the same; null when there are none. */
export function externalIdsText(ids: ExternalIds | undefined): string | null {
  const entries = Object.entries(ids ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

function externalIds(text: string | null): { external_ids?: ExternalIds } {
  // Written by `externalIdsText` alone.
  return text === null ? {} : { external_ids: JSON.parse(text) as ExternalIds };
}
