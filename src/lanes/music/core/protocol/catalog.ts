/** Music on the wire, parsed at both ends: artists, albums, tracks, download requests and what the routes answer. */
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

/** Real catalogs have a disc 0 (a hidden or bonus disc). */
const Disc = v.pipe(v.number(), v.integer(), v.minValue(0, 'a disc is a number from 0'), v.maxValue(9999));
const DurationMs = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(864_000_000)));
const ExternalIds = v.optional(v.record(v.pipe(v.string(), v.maxLength(64)), v.pipe(v.string(), v.maxLength(256))));

export const ArtistSchema = v.object({ id: Id, name: Text(1000), external_ids: ExternalIds });
export const AlbumSchema = v.object({
  id: Id,
  title: Text(1000),
  artist_id: Id,
  artist: Text(1000),
  year: v.optional(Year, null),
  is_compilation: v.optional(v.boolean(), false),
  discs: v.optional(Disc, 1),
  track_count: v.optional(Count, 0),
  external_ids: ExternalIds,
});
export const TrackSchema = v.object({
  id: Id,
  album_id: Id,
  title: Text(1000),
  artist_id: Id,
  artist: Text(1000),
  disc: v.optional(Disc, 1),
  position: Ordinal,
  duration_ms: v.optional(DurationMs, null),
  external_ids: ExternalIds,
});
export const StoredTrackSchema = v.object({
  ...TrackSchema.entries,
  availability: v.picklist(['missing', 'available']),
  original_sha256: v.optional(Sha256),
});

/** What an import did with the lists of music. */
export const MusicCountsSchema = v.object({
  artists: ImportCountsSchema,
  albums: ImportCountsSchema,
  tracks: ImportCountsSchema,
});
export type MusicCounts = v.InferOutput<typeof MusicCountsSchema>;

/** Bodies of the catalog's editor. POST makes the id where none is given; PATCH carries only what changes. */
export const NewArtistSchema = v.object({ ...ArtistSchema.entries, id: v.optional(Id) });
export const ArtistPatchSchema = v.object({ name: v.optional(Text(1000)), external_ids: ExternalIds });

/** A track of a new album. Without a position it follows the one before it on its disc. */
export const NewAlbumTrackSchema = v.object({
  id: v.optional(Id),
  title: Text(1000),
  /** Of the album, when both are absent. A name alone finds the artist or creates it. */
  artist_id: v.optional(Id),
  artist: v.optional(Text(1000)),
  disc: v.optional(Disc, 1),
  position: v.optional(Ordinal),
  duration_ms: v.optional(DurationMs, null),
  external_ids: ExternalIds,
});
export const NewAlbumSchema = v.object({
  ...AlbumSchema.entries,
  id: v.optional(Id),
  /** Either of the two; a name alone finds the artist or creates it. */
  artist_id: v.optional(Id),
  artist: v.optional(Text(1000)),
  /** Made with the album, all or nothing. */
  tracks: v.optional(v.array(NewAlbumTrackSchema), []),
});
export const AlbumPatchSchema = v.object({
  title: v.optional(Text(1000)),
  artist_id: v.optional(Id),
  artist: v.optional(Text(1000)),
  year: v.optional(Year),
  is_compilation: v.optional(v.boolean()),
  discs: v.optional(Disc),
  track_count: v.optional(Count),
  external_ids: ExternalIds,
});
export const NewTrackSchema = v.object({ ...NewAlbumTrackSchema.entries, album_id: Id });
export const TrackPatchSchema = v.object({
  title: v.optional(Text(1000)),
  artist_id: v.optional(Id),
  artist: v.optional(Text(1000)),
  disc: v.optional(Disc),
  position: v.optional(Ordinal),
  duration_ms: v.optional(DurationMs),
  external_ids: ExternalIds,
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
  requested_by: v.string(),
  created_at: Time,
  fulfilled_at: v.nullable(Time),
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

export const DownloadRequestAnswerSchema = v.object({
  id: DownloadRequestSchema.entries.id,
  status: DownloadRequestSchema.entries.status,
});

/** The audio that a track has and had, on the wire. */

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
