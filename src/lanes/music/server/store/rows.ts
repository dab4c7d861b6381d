/** Artists, albums, tracks and requests as rows of the database, and rows as the records of the wire. */
import {
  MOST_LISTED,
  type Album,
  type AlbumWithTracks,
  type Artist,
  type ExternalIds,
  type Track,
  type DownloadRequest,
} from '#lanes/music/core/catalog.ts';
import { HttpError } from '#server/http/http-error.ts';
import { checkVersion, type Versioned } from '#server/http/editing.ts';
import { orderKey } from '#server/search/terms.ts';
import { chunks, findRow, findRows } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';

/** What every record has as a row. */
interface Row {
  /** JSON. */
  external_ids: string | null;
  version: number;
}

export interface ArtistTable extends Omit<Artist, 'external_ids'>, Row {
  /** Folded name: an artist is found again by it. */
  name_key: string;
}

export interface AlbumTable extends Omit<Album, 'is_compilation' | 'external_ids'>, Row {
  is_compilation: number;
  /** Folded `artist title`, the order of browsing. */
  sort_key: string;
}

export interface TrackTable extends Omit<Track, 'original_sha256' | 'lost_sha256' | 'external_ids'>, Row {
  /** Under the media directory; null while missing. */
  output_file_path: string | null;
  audio_sha256: string | null;
  /** Of the file that the audio was converted from: the same file is recognised by it. */
  original_sha256: string | null;
  audio_size: number | null;
  audio_duration_ms: number | null;
  /** Of the audio that it had, where that was found damaged and could not be mended; imports do not write it. */
  lost_sha256?: string | null | undefined;
}

/** Files about to be placed: what is still here after a crash and belongs to no track is removed. */
interface PlacementTable {
  path: string;
  created_at: number;
}

/** Audio that was replaced, and where it is kept. */
export interface FormerMediaTable {
  path: string;
  former_path: string;
  track_id: string;
  sha256: string;
  replaced_at: number;
  moved: number;
  /** The five are null for what was replaced before they were kept. */
  replaced_by: string | null;
  reason: 'replaced' | 'unpublished' | null;
  audio_size: number | null;
  audio_duration_ms: number | null;
  original_sha256: string | null;
}

/** A picture that an album has or had. Its file is never removed. */
export interface AlbumCoverTable {
  album_id: string;
  sha256: string;
  mime: string;
  size: number;
  /** Under the media directory. */
  path: string;
  source: 'file' | 'person';
  at: number;
  user_id: string;
  /** 1 for at most one of an album. */
  present: number;
}

declare module '#server/store/schema.ts' {
  interface Database {
    album_covers: AlbumCoverTable;
    artists: ArtistTable;
    albums: AlbumTable;
    tracks: TrackTable;
    download_requests: DownloadRequest;
    placements: PlacementTable;
    former_media: FormerMediaTable;
  }
}

/** Fields that a record and its row have alike. */
const ALBUM = ['id', 'title', 'artist_id', 'artist', 'year'] as const;
const ALBUM_SIZE = ['discs', 'track_count'] as const;
export const TRACK = ['id', 'album_id', 'title', 'artist_id', 'artist', 'disc', 'position', 'duration_ms'] as const;
/** What the row of a track without audio says of it. */
export const NO_AUDIO = {
  availability: 'missing',
  output_file_path: null,
  audio_sha256: null,
  original_sha256: null,
  audio_size: null,
  audio_duration_ms: null,
} as const;

/** What a track's row says of its audio. */
const AUDIO = Object.keys(NO_AUDIO) as (keyof typeof NO_AUDIO)[];
export type AudioColumns = Pick<TrackTable, keyof typeof NO_AUDIO>;

export function toArtist(row: Pick<ArtistTable, 'id' | 'name' | 'external_ids'>): Artist {
  return { id: row.id, name: row.name, ...externalIds(row.external_ids) };
}

export function toAlbum(row: Omit<AlbumTable, 'sort_key' | 'version'>): Album {
  const is_compilation = row.is_compilation === 1;
  return { ...pick(row, ALBUM), is_compilation, ...pick(row, ALBUM_SIZE), ...externalIds(row.external_ids) };
}

export function toTrack(row: TrackTable): Track {
  const { availability, original_sha256, lost_sha256, external_ids } = row;
  const original = original_sha256 === null ? {} : { original_sha256 };
  const lost = lost_sha256 == null ? {} : { lost_sha256 };
  return { ...pick(row, TRACK), availability, ...original, ...lost, ...externalIds(external_ids) };
}

interface WithIds {
  external_ids?: ExternalIds | undefined;
}

export function artistRow({ id, name, external_ids }: Pick<Artist, 'id' | 'name'> & WithIds): ArtistTable {
  return { id, name, name_key: orderKey(name), external_ids: externalIdsText(external_ids), version: 1 };
}

export function albumRow(album: Omit<Album, 'external_ids'> & WithIds): AlbumTable {
  return {
    ...pick(album, ALBUM),
    is_compilation: album.is_compilation ? 1 : 0,
    ...pick(album, ALBUM_SIZE),
    external_ids: externalIdsText(album.external_ids),
    sort_key: orderKey(album.artist, album.title),
    version: 1,
  };
}

/** A track without audio. */
export function trackRow(track: Pick<Track, (typeof TRACK)[number]> & WithIds): TrackTable {
  return { ...pick(track, TRACK), external_ids: externalIdsText(track.external_ids), ...NO_AUDIO, version: 1 };
}

/** The new row with what the catalog's editors do not decide (audio, version) taken over from the old one. */
export function trackOver(before: TrackTable, row: TrackTable): TrackTable {
  return { ...row, ...pick(before, AUDIO) };
}

const NOUN = { artists: 'artist', albums: 'album', tracks: 'track' } as const;

/** The row that a request names. Throws HttpError 404, and 412 where `ifMatch` names another version. */
export async function existing<T extends keyof typeof NOUN>(db: Reader, table: T, id: string, ifMatch?: string) {
  const row = await findRow(db, table, id);
  if (!row) throw new HttpError('not_found', `There is no ${NOUN[table]} "${id}".`);
  checkVersion(ifMatch, row);
  return row;
}

/** Throws HttpError 409 where there is such a row already. */
export async function refuseTaken(db: Reader, table: keyof typeof NOUN, ids: readonly string[]): Promise<void> {
  const [taken] = (await findRows(db, table, ids)).keys();
  if (taken === undefined) return;
  const noun = NOUN[table];
  throw new HttpError('conflict', `There is ${noun === 'track' ? 'a' : 'an'} ${noun} "${taken}" already.`);
}

/** Tracks of the albums, each album's in playing order. */
export async function tracksOf(db: Reader, albumIds: readonly string[]): Promise<TrackTable[]> {
  const found: TrackTable[] = [];
  for (const part of chunks(albumIds)) {
    const query = db.selectFrom('tracks').selectAll().where('album_id', 'in', part);
    found.push(...(await query.orderBy('album_id').orderBy('disc').orderBy('position').execute()));
  }
  return found;
}

/** An album with its tracks in playing order, the first `MOST_LISTED`, or null. */
export async function readAlbum(db: Reader, id: string): Promise<Versioned<AlbumWithTracks> | null> {
  const row = await findRow(db, 'albums', id);
  if (!row) return null;
  const tracks = db.selectFrom('tracks').selectAll().where('album_id', '=', id).orderBy('disc').orderBy('position');
  return { ...toAlbum(row), tracks: (await tracks.limit(MOST_LISTED).execute()).map(toTrack), version: row.version };
}

/** JSON text with sorted keys, so that the same ids in another order are the same; null when there are none. */
function externalIdsText(ids: ExternalIds | undefined): string | null {
  const entries = Object.entries(ids ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

function externalIds(text: string | null): { external_ids?: ExternalIds } {
  // Written by `externalIdsText` alone.
  return text === null ? {} : { external_ids: JSON.parse(text) as ExternalIds };
}

function pick<T, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const picked = {} as Pick<T, K>;
  for (const name of names) picked[name] = from[name];
  return picked;
}
