/** Records as rows of the database, and whether two rows say the same. */
import type { ExternalIds } from '#core/music/catalog.ts';
import { orderKey } from '../search/terms.ts';
import { externalIdsText } from './records.ts';
import type { AlbumTable, ArtistTable, TrackTable } from './schema.ts';

/** A row to be written, and what it was before (null: it is new). */
export interface Write<T> {
  row: T;
  before: T | null;
}

interface ArtistFields {
  id: string;
  name: string;
  external_ids?: ExternalIds | undefined;
}

export function artistRow(fields: ArtistFields): ArtistTable {
  const { id, name } = fields;
  return { id, name, name_key: orderKey(name), external_ids: externalIdsText(fields.external_ids), version: 1 };
}

interface AlbumFields {
  id: string;
  title: string;
  artist_id: string;
  artist: string;
  year: number | null;
  is_compilation: boolean;
  discs: number;
  track_count: number;
  external_ids?: ExternalIds | undefined;
}

export function albumRow(fields: AlbumFields): AlbumTable {
  const { id, title, artist_id, artist, year, discs, track_count } = fields;
  return {
    id,
    title,
    artist_id,
    artist,
    year,
    is_compilation: fields.is_compilation ? 1 : 0,
    discs,
    track_count,
    external_ids: externalIdsText(fields.external_ids),
    sort_key: orderKey(artist, title),
    version: 1,
  };
}

interface TrackFields {
  id: string;
  album_id: string;
  title: string;
  artist_id: string;
  artist: string;
  disc: number;
  position: number;
  duration_ms: number | null;
  external_ids?: ExternalIds | undefined;
}

/** A track without audio. */
export function trackRow(fields: TrackFields): TrackTable {
  const { id, album_id, title, artist_id, artist, disc, position, duration_ms } = fields;
  return {
    id,
    album_id,
    title,
    artist_id,
    artist,
    disc,
    position,
    duration_ms,
    external_ids: externalIdsText(fields.external_ids),
    availability: 'missing',
    output_file_path: null,
    audio_sha256: null,
    original_sha256: null,
    audio_size: null,
    audio_duration_ms: null,
    version: 1,
  };
}

/** What a track's row says of its audio. */
export function audioOf(track: TrackTable) {
  const { availability, output_file_path, audio_sha256, original_sha256, audio_size, audio_duration_ms } = track;
  return { availability, output_file_path, audio_sha256, original_sha256, audio_size, audio_duration_ms };
}

/** The new row with what the catalog's editors do not decide (audio, version) taken over from the old one. */
export function trackOver(before: TrackTable, row: TrackTable): TrackTable {
  return { ...row, ...audioOf(before) };
}

/**
 * What has to be written to get from `before` to `row`: nothing when they say the same, otherwise the row with
 * the next version.
 */
export function writeOf<T extends { version: number }>(before: T | null, row: T): Write<T> | null {
  if (before === null) return { row, before };
  const next = { ...row, version: before.version };
  return sameRow(before, next) ? null : { row: { ...next, version: before.version + 1 }, before };
}

function sameRow<T extends object>(a: T, b: T): boolean {
  return (Object.keys(b) as (keyof T)[]).every((key) => a[key] === b[key]);
}
