/**
 * The wire, parsed at both ends. Field names are the API's (snake_case). JSON bodies only; unknown
 * fields are dropped, never stored.
 */
import * as v from 'valibot';
import { JOB_STATUSES, STEP_TYPES } from '../job/job.ts';

const Id = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(128),
  v.regex(/^[\w.:-]+$/, 'an id has letters, digits and _ . : - only'),
);
export { Id as IdSchema };
const Text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));
export const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a SHA-256 is 64 lower-case hex digits'));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Milliseconds since the epoch. A clock may be wrong, but it counts whole ones. */
const Time = v.pipe(v.number(), v.safeInteger());
const Finite = v.pipe(v.number(), v.finite());
const Ordinal = v.pipe(v.number(), v.integer(), v.minValue(1, 'counting begins with 1'), v.maxValue(9999));
/** Real catalogs have a disc 0 (a hidden or bonus disc). */
const Disc = v.pipe(v.number(), v.integer(), v.minValue(0, 'a disc is a number from 0'), v.maxValue(9999));
const DurationMs = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(864_000_000)));
const Year = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9999)));
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

const Rows = v.optional(v.array(v.unknown()));
/**
 * Body of POST /v1/catalog/import: the three lists of music, or shows, or both; the rows are checked one by one, so that a
 * bad one can be named.
 */
export const CatalogFileSchema = v.pipe(
  v.object({ artists: Rows, albums: Rows, tracks: Rows, shows: Rows }),
  v.check(
    ({ artists, albums, tracks, shows }) => shows !== undefined || !!(artists && albums && tracks),
    'it has the lists "artists", "albums" and "tracks", or "shows", or all four',
  ),
);

const ImportCountsSchema = v.object({ created: Count, updated: Count, unchanged: Count });
export type ImportCounts = v.InferOutput<typeof ImportCountsSchema>;
export const ImportResultSchema = v.object({
  artists: ImportCountsSchema,
  albums: ImportCountsSchema,
  tracks: ImportCountsSchema,
  /** Where the file has a list of them. */
  shows: v.exactOptional(ImportCountsSchema),
});
export type ImportResult = v.InferOutput<typeof ImportResultSchema>;

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

/**
 * One row of the change feed. `op: put` carries the whole record as it is now, `delete` only the id.
 * Cursors are opaque strings; a client stores `next_cursor` and asks again until `items` is empty.
 */
export const ChangeSchema = v.object({
  kind: v.picklist(['artist', 'album', 'track', 'download_request']),
  id: Id,
  op: v.picklist(['put', 'delete']),
  record: v.nullable(v.unknown()),
});
export const ChangesPageSchema = v.object({
  items: v.array(ChangeSchema),
  /** Pass back as `cursor`. Never null here: the feed has no end. */
  next_cursor: v.string(),
  /** True while more is there now. */
  more: v.boolean(),
  /** Changes when the server's catalog was replaced: the replica then starts over. */
  catalog_id: v.string(),
});
export type Change = v.InferOutput<typeof ChangeSchema>;
export type ChangesPage = v.InferOutput<typeof ChangesPageSchema>;

/** Body of POST /v1/ingestion/commits. Header `Idempotency-Key` is required. */
export const CommitRequestSchema = v.object({
  job_id: Id,
  track_id: Id,
  /** Of the converted Ogg Vorbis file, uploaded before under this hash. */
  sha256: Sha256,
  size: Count,
  duration_ms: Count,
  original_filename: Text(2000),
  original_sha256: Sha256,
  match_confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  match_source: v.picklist(['AGENT', 'HUMAN_REVIEW']),
  /** Pending download request that this fulfils, or null. */
  request_id: v.nullable(Id),
  /** True: the person said that the track's present audio may be replaced (the former file is kept). */
  replace: v.optional(v.boolean(), false),
  /** Of a job of an upload over HTTP: the lease under which the sender works on it. */
  lease_id: v.exactOptional(Id),
});
export type CommitRequest = v.InferOutput<typeof CommitRequestSchema>;

export const CommitResponseSchema = v.object({
  track_id: Id,
  /** Relative to the media directory. */
  output_file_path: v.string(),
  availability: v.literal('available'),
  duration_ms: Count,
  /** `created`; `unchanged` when the very same audio was there already. */
  outcome: v.picklist(['created', 'unchanged', 'replaced']),
  request_status: v.nullable(v.picklist(['pending', 'fulfilled'])),
  /** The length that the catalog has for the track, for information: it may differ from the audio's. */
  catalog_duration_ms: v.optional(v.nullable(Count), null),
});
export type CommitResponse = v.InferOutput<typeof CommitResponseSchema>;

export const StepSchema = v.object({
  id: Id,
  step_number: Ordinal,
  timestamp: Time,
  step_type: v.picklist(STEP_TYPES),
  content: v.pipe(v.string(), v.maxLength(20_000)),
  metadata: v.optional(v.record(v.string(), v.unknown()), {}),
  duration_ms: v.nullable(Finite),
});

/**
 * Body of POST /v1/ingestion/review/:job_id: `selected_option` (an option's id, `none`, `track:<id>`, `album:<id>`,
 * `cancelled`), or in its place the `track_id` or `album_id` alone.
 */
export const ReviewAnswerRequestSchema = v.object({
  selected_option: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  track_id: v.exactOptional(Id),
  album_id: v.exactOptional(Id),
  /** The question that was read: where another one has come in its place, the answer is refused (409). */
  review_id: v.optional(Id),
});

/** The answer as one word; null where it says nothing, or more than one thing. */
export function selectedOption(answer: v.InferOutput<typeof ReviewAnswerRequestSchema>): string | null {
  const { selected_option, track_id, album_id } = answer;
  const said = [
    ...(selected_option === undefined ? [] : [selected_option]),
    ...(track_id === undefined ? [] : [`track:${track_id}`]),
    ...(album_id === undefined ? [] : [`album:${album_id}`]),
  ];
  return said.length === 1 ? (said[0] ?? null) : null;
}

/** A job as mirrored to the server (PUT /v1/ingestion/mirror) and read from it. */
export const MirroredJobSchema = v.object({
  id: Id,
  status: v.picklist(JOB_STATUSES),
  original_filename: v.string(),
  file_size_bytes: Count,
  duration_ms: v.nullable(Finite),
  codec: v.nullable(v.string()),
  bitrate: v.nullable(Finite),
  context_type: v.picklist(['download_request', 'spontaneous']),
  context_id: v.nullable(v.string()),
  matched_track_id: v.nullable(v.string()),
  match_confidence: v.nullable(Finite),
  match_source: v.nullable(v.picklist(['AGENT', 'HUMAN_REVIEW'])),
  output_file_path: v.nullable(v.string()),
  error_message: v.nullable(v.string()),
  created_at: Time,
  started_at: v.nullable(Time),
  completed_at: v.nullable(Time),
  updated_at: Time,
  /** True: the server's worker does it (it came over HTTP). Said by the server alone. */
  on_server: v.exactOptional(v.boolean()),
  /** The archive's job that it came out of. */
  parent_job_id: v.exactOptional(v.nullable(Id)),
});
export type MirroredJob = v.InferOutput<typeof MirroredJobSchema>;

export const MirroredReviewSchema = v.object({
  id: Id,
  job_id: Id,
  job_ids: v.array(Id),
  question: v.string(),
  reasoning: v.string(),
  options: v.array(
    v.object({
      id: v.string(),
      label: v.string(),
      confidence: v.number(),
      /** REVIEW-25: of `accept`, the track that it takes for each file. */
      tracks: v.optional(
        v.array(
          v.object({
            job_id: Id,
            name: v.string(),
            track_id: v.string(),
            title: v.string(),
            album_id: v.string(),
            album: v.string(),
            duration_ms: v.nullable(Finite),
          }),
        ),
      ),
    }),
  ),
  created_at: Time,
  resolved_at: v.nullable(Time),
  resolved_by_user_id: v.nullable(v.string()),
  selected_option: v.nullable(v.string()),
  /** SYNC-27: this answer was carried out already; one given here in the meantime came too late. */
  stands: v.exactOptional(v.boolean()),
});
export type MirroredReview = v.InferOutput<typeof MirroredReviewSchema>;

/** PUT /v1/ingestion/mirror: the workstation's jobs, new steps and reviews; newer `updated_at` wins. */
export const MirrorRequestSchema = v.object({
  jobs: v.array(MirroredJobSchema),
  steps: v.array(v.object({ job_id: Id, step: StepSchema })),
  reviews: v.array(MirroredReviewSchema),
});
export type MirrorRequest = v.InferOutput<typeof MirrorRequestSchema>;

/**
 * Answer of PUT /v1/ingestion/mirror: the reviews of that request (and this user's other ones, if the server
 * likes) that somebody has answered. The first answer wins, so a resolution here outranks the workstation's own.
 */
export const MirrorResponseSchema = v.object({
  resolved_reviews: v.array(
    v.object({
      id: Id,
      selected_option: v.string(),
      resolved_by_user_id: v.nullable(v.string()),
      resolved_at: Time,
    }),
  ),
  /** Jobs of that request that somebody cancelled and that go on at the workstation. */
  cancelled_jobs: v.exactOptional(v.array(Id)),
  /** Jobs of that request that were published once, of whose commit this server does not know: it lost it. */
  lost_jobs: v.exactOptional(v.array(Id)),
});
export type MirrorResponse = v.InferOutput<typeof MirrorResponseSchema>;

/** The socket's message about a job, as the specification writes it. */
export const IngestionUpdateSchema = v.object({
  type: v.literal('IngestionUpdate'),
  job_id: Id,
  status: v.picklist(JOB_STATUSES),
  latest_step: v.nullable(StepSchema),
  needs_review: v.boolean(),
  /** Behind this update, for whoever connects again (socket-messages.ts). */
  cursor: v.optional(v.string()),
});
export type IngestionUpdate = v.InferOutput<typeof IngestionUpdateSchema>;

/** A hint that the change feed has something new. */
export const CatalogChangedSchema = v.object({ type: v.literal('CatalogChanged') });

export const ErrorBodySchema = v.object({ error: v.object({ code: v.string(), message: v.string() }) });

/** POST /v1/sign: `{ path }` -> `{ url, expires_at }`; the URL carries user, expiry and an HMAC. */
export const SignRequestSchema = v.object({ path: v.pipe(v.string(), v.regex(/^\/v1\/[\w/.:-]+$/)) });
export const SignResponseSchema = v.object({ url: v.string(), expires_at: v.number() });
