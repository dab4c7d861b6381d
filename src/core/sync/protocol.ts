/**
 * The engine's wire, parsed at both ends; a lane's is in its own `core/`. Field names are the API's (snake_case). JSON
 * bodies only; unknown fields are dropped, never stored.
 */
import * as v from 'valibot';
import { JOB_STATUSES, STEP_TYPES } from '../job/job.ts';
import { Count, Finite, IdSchema as Id, Ordinal, Sha256, Text, Time } from './fields.ts';

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

/** Steps that one row may stand for. */
const SharedCount = v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10_000));

export const StepSchema = v.object({
  id: Id,
  step_number: Ordinal,
  timestamp: Time,
  step_type: v.picklist(STEP_TYPES),
  content: v.pipe(v.string(), v.maxLength(20_000)),
  metadata: v.optional(v.record(v.string(), v.unknown()), {}),
  duration_ms: v.nullable(Finite),
  /** The row stands for so many steps of another job of the same person, from that number on. Never in an answer. */
  same_as: v.exactOptional(v.object({ job_id: Id, step_number: Ordinal, count: SharedCount })),
});
export type Step = v.InferOutput<typeof StepSchema>;

/** Characters of an answer: row by row of some hundred files. */
const MOST_ANSWER = 50_000;

/**
 * Body of POST /v1/ingestion/review/:job_id: `selected_option` (an option's id, `none`, `track:<id>`, `album:<id>`,
 * `cancelled`, `rows:album=<id>&<job>=track:<id>|none|ask...`), or in its place the `track_id` or `album_id` alone.
 */
export const ReviewAnswerRequestSchema = v.object({
  selected_option: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_ANSWER))),
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
  /** When its workstation last spoke of it, to the minute; null: never, or it is the server's. Said by the server alone. */
  heard_at: v.exactOptional(v.nullable(Time)),
});
export type MirroredJob = v.InferOutput<typeof MirroredJobSchema>;

/** A job as the server answers it alone. */
export const JobAnswerSchema = v.object({
  ...MirroredJobSchema.entries,
  reasoning_steps: v.optional(v.array(StepSchema), []),
});

/** What the agent would answer, or why it could not be asked. */
const ReviewAdviceSchema = v.object({
  /** An option's id, `none`, or null: it leaves the question to a person, or could not be asked. */
  option_id: v.nullable(v.string()),
  /** The model's own words. */
  why: v.string(),
  model: v.string(),
  recorded: v.boolean(),
  /** Share 0..1 of the ballots that agreed. */
  agreement: Finite,
  /** Why it could not be asked: one sentence. */
  failed: v.nullable(v.string()),
});

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
  /** What the agent says about it; null where it was not asked. Absent from programs before 0.3. */
  advice: v.exactOptional(v.nullable(ReviewAdviceSchema)),
  created_at: Time,
  resolved_at: v.nullable(Time),
  resolved_by_user_id: v.nullable(v.string()),
  selected_option: v.nullable(v.string()),
  /** SYNC-27: this answer was carried out already; one given here in the meantime came too late. */
  stands: v.exactOptional(v.boolean()),
});
export type MirroredReview = v.InferOutput<typeof MirroredReviewSchema>;

/** PUT /v1/ingestion/mirror: the workstation's jobs, new steps and reviews; newer `updated_at` wins. */
const Mark = v.pipe(v.string(), v.regex(/^[0-9a-f]{24}$/));

export const MirrorRequestSchema = v.object({
  jobs: v.array(MirroredJobSchema),
  steps: v.array(v.object({ job_id: Id, step: StepSchema })),
  reviews: v.array(MirroredReviewSchema),
  /** `mark` of the answer before: where the server does not know it, it was put back, and answers 410. */
  after: v.exactOptional(Mark),
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
  /** That this request was taken; sent with the next one (`after`). */
  mark: v.exactOptional(Mark),
});
/** Answer of GET /v1/ingestion/mirror. */
export const MirrorKnownSchema = v.object({ known: v.boolean() });
export type MirrorResponse = v.InferOutput<typeof MirrorResponseSchema>;

/** The socket's message about a job, as the specification writes it. */
export const IngestionUpdateSchema = v.object({
  type: v.literal('IngestionUpdate'),
  job_id: Id,
  status: v.picklist(JOB_STATUSES),
  latest_step: v.nullable(StepSchema),
  needs_review: v.boolean(),
  /** What the agent says of the open question, where it was asked. */
  advice: v.exactOptional(ReviewAdviceSchema),
  /** Behind this update, for whoever connects again (socket-messages.ts). */
  cursor: v.optional(v.string()),
});
export type IngestionUpdate = v.InferOutput<typeof IngestionUpdateSchema>;

/** A hint that the change feed has something new. */
export const CatalogChangedSchema = v.object({ type: v.literal('CatalogChanged') });

export const HealthSchema = v.looseObject({ status: v.optional(v.string()) });
export const ErrorBodySchema = v.object({
  error: v.object({ code: v.string(), message: v.string(), remedy: v.exactOptional(v.string()) }),
});

/** POST /v1/sign: `{ path }` -> `{ url, expires_at }`; the URL carries user, expiry and an HMAC. */
export const SignRequestSchema = v.object({ path: v.pipe(v.string(), v.regex(/^\/v1\/[\w/.:-]+$/)) });
export const SignResponseSchema = v.object({ url: v.string(), expires_at: v.number() });
