/**
 * The catalog's records, and music on the wire, parsed at both ends (snake_case on the wire and in storage, as the
 * specification writes them): artists, albums, tracks, download requests and what the routes answer.
 */
import * as v from 'valibot';
import {
  changesPageOf,
  Count,
  ImportCountsSchema,
  IdSchema as Id,
  Ordinal,
  Sha256,
  Text,
  Time,
  Year,
} from '#core/sync/fields.ts';

/** An album with its tracks in playing order. */
export interface AlbumWithTracks extends Album {
  tracks: Track[];
}

export const withoutTracks = ({ tracks: _tracks, ...album }: AlbumWithTracks): Album => album;

/** `{ artists, albums, tracks }` as the import takes it: what a row may leave out has a default. */
export interface CatalogFile {
  artists: Artist[];
  albums: (Omit<Album, 'year' | 'is_compilation' | 'discs' | 'track_count'> &
    Partial<Pick<Album, 'year' | 'is_compilation' | 'discs' | 'track_count'>>)[];
  tracks: (Omit<Track, 'availability' | 'duration_ms'> & { duration_ms?: number | null })[];
}

/** Real catalogs have a disc 0 (a hidden or bonus disc). */
const Disc = v.pipe(v.number(), v.integer(), v.minValue(0, 'a disc is a number from 0'), v.maxValue(9999));
const DurationMs = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(864_000_000)));
/** Identifiers in other catalogs: MusicBrainz id, ISRC, barcode. Evidence, never proof. */
const ExternalIds = v.record(v.pipe(v.string(), v.maxLength(64)), v.pipe(v.string(), v.maxLength(256)));
export type ExternalIds = v.InferOutput<typeof ExternalIds>;
const external_ids = v.exactOptional(ExternalIds);

export const ArtistSchema = v.object({ id: Id, name: Text(1000), external_ids });
export type Artist = v.InferOutput<typeof ArtistSchema>;

export const AlbumSchema = v.object({
  id: Id,
  title: Text(1000),
  artist_id: Id,
  /** The artist's name as credited on the album. */
  artist: Text(1000),
  year: v.optional(Year, null),
  is_compilation: v.optional(v.boolean(), false),
  discs: v.optional(Disc, 1),
  track_count: v.optional(Count, 0),
  external_ids,
});
export type Album = v.InferOutput<typeof AlbumSchema>;

export const TrackSchema = v.object({
  id: Id,
  album_id: Id,
  title: Text(1000),
  artist_id: Id,
  artist: Text(1000),
  disc: v.optional(Disc, 1),
  /** From 1, within the disc. */
  position: Ordinal,
  duration_ms: v.optional(DurationMs, null),
  external_ids,
});
export const StoredTrackSchema = v.object({
  ...TrackSchema.entries,
  availability: v.picklist(['missing', 'available']),
  /** Of the file that the published audio was converted from; the same file is recognised by it. */
  original_sha256: v.optional(Sha256),
  /** Of audio that was published and that the server has lost: whoever has it is asked to publish it again. */
  lost_sha256: v.optional(Sha256),
});
export type Track = v.InferOutput<typeof StoredTrackSchema>;

const lists = { artists: ImportCountsSchema, albums: ImportCountsSchema, tracks: ImportCountsSchema };
/** What an import did with the lists of music. */
export const MusicCountsSchema = v.object(lists);
export type MusicCounts = v.InferOutput<typeof MusicCountsSchema>;

/** Bodies of the catalog's editor. POST makes the id where none is given; PATCH carries only what changes. */
export const NewArtistSchema = v.object({ ...ArtistSchema.entries, id: v.optional(Id) });
export const ArtistPatchSchema = v.object({ name: v.optional(Text(1000)), external_ids });

/** Who an album or a track is by: either of the two; a name alone finds the artist or creates it. */
const credit = { artist_id: v.optional(Id), artist: v.optional(Text(1000)) };
const { album_id: _album, ...ofTrack } = TrackSchema.entries;

/** A track of a new album, and by the same artist where it names none. Without a position it follows the one before it on its disc. */
const NewAlbumTrackSchema = v.object({ ...ofTrack, ...credit, id: v.optional(Id), position: v.optional(Ordinal) });
/** Tracks of an album, and albums of an artist, that are answered with it; an album is made with no more. */
export const MOST_LISTED = 5000;
export const NewAlbumSchema = v.object({
  ...AlbumSchema.entries,
  ...credit,
  id: v.optional(Id),
  /** Made with the album, all or nothing. */
  tracks: v.optional(v.pipe(v.array(NewAlbumTrackSchema), v.maxLength(MOST_LISTED)), []),
});
export const AlbumPatchSchema = v.object({
  title: v.optional(Text(1000)),
  ...credit,
  year: v.optional(Year),
  is_compilation: v.optional(v.boolean()),
  discs: v.optional(Disc),
  track_count: v.optional(Count),
  external_ids,
});
export const NewTrackSchema = v.object({ ...NewAlbumTrackSchema.entries, album_id: Id });
export const TrackPatchSchema = v.object({
  title: v.optional(Text(1000)),
  ...credit,
  disc: v.optional(Disc),
  position: v.optional(Ordinal),
  duration_ms: v.optional(DurationMs),
  external_ids,
});

/** Body of POST /v1/download-requests: an album or a track. */
export const NewDownloadRequestSchema = v.union(
  [v.object({ album_id: Id }), v.object({ track_id: Id })],
  'name an "album_id" or a "track_id"',
);

export const DownloadRequestSchema = v.object({
  id: Id,
  status: v.picklist(['pending', 'fulfilled']),
  album_id: v.nullable(Id),
  track_id: v.nullable(Id),
  /** User id of who asked. */
  requested_by: v.string(),
  created_at: Time,
  fulfilled_at: v.nullable(Time),
});
export type DownloadRequest = v.InferOutput<typeof DownloadRequestSchema>;

/** Bodies and answer of what rearranges the catalog. */
export const MergeSchema = v.object({ into: Id });
export const MoveTracksSchema = v.object({
  track_ids: v.pipe(v.array(Id), v.minLength(1), v.maxLength(MOST_LISTED)),
  album_id: Id,
});
export const CatalogEditedSchema = v.object({
  /** By which it is taken back. */
  edit_id: v.string(),
  kind: v.picklist(['merged', 'moved', 'removed']),
  /** Ids of albums and tracks that are there no more. */
  gone: v.array(v.string()),
  /** Albums that have something of it now. */
  albums: v.array(v.string()),
});
export type CatalogEdited = v.InferOutput<typeof CatalogEditedSchema>;
export const TwinsSchema = v.object({
  items: v.array(v.object({ title: v.string(), artist: v.string(), ids: v.array(v.string()) })),
});

/** What music puts into the change feed. */
export const MUSIC_KINDS = ['artist', 'album', 'track', 'download_request'] as const;
export const ChangesPageSchema = changesPageOf(v.picklist(MUSIC_KINDS));
export type ChangesPage = v.InferOutput<typeof ChangesPageSchema>;
export type Change = ChangesPage['items'][number];

export const SearchAnswerSchema = v.object({
  artists: v.array(ArtistSchema),
  albums: v.array(AlbumSchema),
  tracks: v.array(StoredTrackSchema),
});

/** The row's version, for `If-Match`. */
const version = v.optional(v.number());

export const ArtistAnswerSchema = v.object({
  ...ArtistSchema.entries,
  albums: v.optional(v.array(AlbumSchema), []),
  version,
});

/** An album in a list, with how many of its tracks have audio. */
export const AlbumItemSchema = v.object({ ...AlbumSchema.entries, available_count: v.optional(v.number(), 0) });

export const AlbumAnswerSchema = v.object({ ...AlbumSchema.entries, tracks: v.array(StoredTrackSchema), version });

export const TrackAnswerSchema = v.object({
  ...StoredTrackSchema.entries,
  album: v.optional(v.nullable(v.string()), null),
  year: v.optional(v.nullable(v.number()), null),
  /** Path under the media directory; null while it is missing. */
  output_file_path: v.optional(v.nullable(v.string()), null),
  audio_duration_ms: v.optional(v.nullable(v.number()), null),
  version,
});

export const DownloadRequestAnswerSchema = v.pick(DownloadRequestSchema, ['id', 'status']);

const Audio = { sha256: Sha256, size: v.nullable(v.number()), duration_ms: v.nullable(v.number()) };

/** Answer of GET /v1/catalog/tracks/:id/versions. Who did it is null where it was not written down yet. */
export const TrackVersionsSchema = v.object({
  track_id: v.string(),
  present: v.nullable(
    v.object({
      ...Audio,
      published_at: v.nullable(v.number()),
      published_by: v.nullable(v.string()),
      published_by_name: v.nullable(v.string()),
    }),
  ),
  former: v.array(
    v.object({
      ...Audio,
      ended_at: v.number(),
      ended_by: v.nullable(v.string()),
      ended_by_name: v.nullable(v.string()),
      reason: v.picklist(['replaced', 'unpublished']),
    }),
  ),
});
export type TrackVersions = v.InferOutput<typeof TrackVersionsSchema>;

/** Body of POST /v1/catalog/tracks/:id/restore. */
export const RestoreSchema = v.object({ sha256: Sha256 });

/** Bytes of a picture that the catalog takes as an album's cover. */
export const MOST_COVER = 8 * 1024 ** 2;

export const CoverSchema = v.object({
  sha256: Sha256,
  mime: v.picklist(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
  size: v.number(),
  /** When it became the album's cover the last time, milliseconds since the epoch. */
  at: v.number(),
  by: v.string(),
  by_name: v.nullable(v.string()),
  /** `file`: it was in the first file that was published of the album. */
  source: v.picklist(['file', 'person']),
});
export type AlbumCover = v.InferOutput<typeof CoverSchema>;

/** Answer of GET /v1/catalog/albums/:id/covers: the picture that the album has, and those that it had, newest first. */
export const AlbumCoversSchema = v.object({
  album_id: v.string(),
  present: v.nullable(CoverSchema),
  former: v.array(CoverSchema),
});
export type AlbumCovers = v.InferOutput<typeof AlbumCoversSchema>;

/** Body of POST /v1/catalog/albums/:id/cover: one of its covers; null: none. */
export const ChooseCoverSchema = v.object({ sha256: v.nullable(Sha256) });

/** The file GET /v1/catalog/snapshot/:name: gzip over an index of the catalog (core/music/compact). Never changes. */
export const SnapshotSchema = v.object({
  name: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
  /** Of the index (`CATALOG_FORMAT`): a workstation takes its own alone. */
  format: Count,
  catalog_id: v.string(),
  /** Of the change feed: what came later is asked for from here. */
  cursor: v.string(),
  tracks: Count,
  /** Of the index; of the file. */
  bytes: Count,
  packed_bytes: Count,
  /** Of the index, before it was packed. */
  sha256: Sha256,
});
export type Snapshot = v.InferOutput<typeof SnapshotSchema>;

/** Answer of GET /v1/catalog/snapshot. `ahead`: changes between the given cursor and the snapshot. */
export const SnapshotAnswerSchema = v.object({ snapshot: v.nullable(SnapshotSchema), ahead: v.nullable(Count) });
export type SnapshotAnswer = v.InferOutput<typeof SnapshotAnswerSchema>;

/** What the index of a snapshot says about itself. */
export const SnapshotNoteSchema = v.object({
  catalog_id: v.string(),
  cursor: v.string(),
  requests: v.array(DownloadRequestSchema),
});
