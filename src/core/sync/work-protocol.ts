/**
 * Uploads over HTTP and who works on them, on the wire. A worker takes one upload (a batch) under a lease, saves what
 * it has reached as often as it likes, and learns what others did meanwhile; a lease that is not renewed ends, and the
 * next worker goes on from what was saved.
 */
import * as v from 'valibot';
import { MirroredJobSchema, MirroredReviewSchema, StepSchema } from './protocol.ts';
import { Sha256, Time } from './fields.ts';

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(128), v.regex(/^[\w.:-]+$/));
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const CONTEXTS = ['download_request', 'spontaneous'] as const;

/** Answer of POST /v1/ingestion/upload: one job a file, also for an archive; what beside them was kept (covers, sheets) has none. */
export const UploadAnswerSchema = v.object({
  batch_id: Id,
  job_ids: v.array(Id),
  jobs: v.array(MirroredJobSchema),
});
export type UploadAnswer = v.InferOutput<typeof UploadAnswerSchema>;

/** Body of POST /v1/ingestion/claims. */
export const ClaimRequestSchema = v.object({
  /** Named in the list of who works on what: a host's name and a process. */
  worker: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
  /** A lease that this worker had and knows nothing of any more (its page was killed): it is over now, as if silent. */
  former_lease: v.exactOptional(Id),
});

/** A file of the upload. `id` is its job's where it has one. */
export const WorkFileSchema = v.object({ id: Id, path: v.string(), size: Count, sha256: Sha256 });
export type WorkFile = v.InferOutput<typeof WorkFileSchema>;

/** What people and commits did to the batch, as the server has it; the worker takes it over. */
export const WorkNewsSchema = v.object({
  /** Jobs that somebody ended. */
  cancelled: v.array(Id),
  /** Jobs whose commit was accepted. */
  published: v.array(
    v.object({ job_id: Id, track_id: v.nullable(v.string()), output_file_path: v.nullable(v.string()) }),
  ),
  /** Questions of this batch that were answered and whose answer the worker has not saved yet. */
  answers: v.array(
    v.object({ review_id: Id, selected_option: v.string(), resolved_by_user_id: v.nullable(v.string()) }),
  ),
});
export type WorkNews = v.InferOutput<typeof WorkNewsSchema>;

/** A batch under lease. */
export const ClaimSchema = v.object({
  lease_id: Id,
  /** How long it holds from now on without being renewed, milliseconds. */
  lease_ms: Count,
  batch: v.object({
    id: Id,
    user_id: v.string(),
    /** How the uploader is called; null where nobody knows. */
    user_name: v.optional(v.nullable(v.string()), null),
    label: v.string(),
    context_type: v.picklist(CONTEXTS),
    context_id: v.nullable(v.string()),
    created_at: v.number(),
  }),
  files: v.array(WorkFileSchema),
  /** The rows of the files' jobs, for the first worker. */
  jobs: v.array(MirroredJobSchema),
  /** What the last worker saved, word for word; null for a new upload. */
  document: v.nullable(v.string()),
  revision: Count,
  news: WorkNewsSchema,
  /** Tracks that jobs of other batches of anybody are about to publish; the ids of other people's jobs are not sent. */
  held: v.array(v.object({ track_id: v.string(), job_id: Id })),
});
export type Claim = v.InferOutput<typeof ClaimSchema>;

/** Answer of POST /v1/ingestion/claims. null: nothing waits. */
export const ClaimAnswerSchema = v.object({ claim: v.nullable(ClaimSchema) });

/**
 * The state of the batch: `ready` wants a worker now, `waiting` wants a person first, `done` wants nothing any more
 * (the uploaded files are removed then).
 */
export const WORK_STATES = ['ready', 'waiting', 'done'] as const;
export type WorkState = (typeof WORK_STATES)[number];

const LearnedKey = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
/** Characters of what is learned under one key, as JSON. */
export const MOST_LEARNED_CHARS = 64_000;
const isSmall = (value: unknown): boolean => (JSON.stringify(value) ?? '').length <= MOST_LEARNED_CHARS;

/** What was learned from a person's answers: kinds and keys are the lane's. `value` is JSON; null: it is forgotten. */
export const LearnedRowSchema = v.object({
  lane: LearnedKey,
  kind: LearnedKey,
  key: LearnedKey,
  at: Time,
  value: v.pipe(v.unknown(), v.check(isSmall, `it has at most ${MOST_LEARNED_CHARS} characters as JSON`)),
});

/** Keys of one question for what was learned. */
export const MOST_KEYS = 5_000;

/** Body of POST /v1/ingestion/claims/:lease_id/learned: these keys of the uploader's, or all of the kind. */
export const LearnedQuerySchema = v.object({
  lane: LearnedKey,
  kind: LearnedKey,
  keys: v.exactOptional(v.pipe(v.array(LearnedKey), v.maxLength(MOST_KEYS))),
});
export type LearnedQuery = v.InferOutput<typeof LearnedQuerySchema>;

export const LearnedAnswerSchema = v.object({ rows: v.array(v.omit(LearnedRowSchema, ['lane'])) });

/** Body of PUT /v1/ingestion/claims/:lease_id. */
export const WorkSaveSchema = v.object({
  /** The one that was saved or claimed last. */
  revision: Count,
  state: v.picklist(WORK_STATES),
  document: v.pipe(v.string(), v.maxLength(64 * 1024 * 1024)),
  jobs: v.array(MirroredJobSchema),
  steps: v.array(v.object({ job_id: Id, step: StepSchema })),
  reviews: v.array(MirroredReviewSchema),
  /** What was learned from the uploader's answers since the last save; the server keeps it for their other uploads. */
  learned: v.optional(v.pipe(v.array(LearnedRowSchema), v.maxLength(100_000)), []),
  /** The worker goes on to something else: the lease ends with this save. */
  release: v.optional(v.boolean(), false),
});
export type WorkSave = v.InferOutput<typeof WorkSaveSchema>;

/** Answer of a save and of a renewal. */
export const WorkSavedSchema = v.object({ revision: Count, lease_ms: Count, news: WorkNewsSchema });
export type WorkSaved = v.InferOutput<typeof WorkSavedSchema>;

/** Body of POST /v1/ingestion/claims/:lease_id/renew: nothing. */
export const RenewSchema = v.object({});
