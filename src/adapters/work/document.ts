/**
 * An upload's rows as one document, which the server keeps for the next worker. 1: first form (before 0.2), with archives
 * as rows of their own. 2: the rows of the run; an archive's job is named by its batch.
 */
import * as v from 'valibot';
import { AccessionError, failed } from '#core/errors.ts';
import type { Batch, BatchArchive, Job } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import { parseJob } from '#core/job/stored-job.ts';
import type { OutboxItem } from '#core/sync/outbox-item.ts';
import { CommitRequestSchema, MirroredJobSchema, type MirroredJob } from '#core/sync/protocol.ts';
import type { WorkFile } from '#core/sync/work-protocol.ts';

export interface UploadRows {
  batch: Batch;
  jobs: Job[];
  reviews: Review[];
  outbox: OutboxItem[];
  /** Of each job, also of an archive's, the number of its last step. */
  steps: Record<string, number>;
  /** Jobs of archives as the server lists them, by id. */
  archives: MirroredJob[];
}

const Archive = v.looseObject({
  path: v.string(),
  sha256: v.string(),
  done: v.boolean(),
  entries: v.nullable(v.number()),
});
const BatchShape = v.looseObject({
  schema_version: v.literal(1),
  id: v.string(),
  label: v.string(),
  context_type: v.picklist(['DOWNLOAD_REQUEST', 'SPONTANEOUS']),
  context_id: v.nullable(v.string()),
  created_at: v.number(),
  state: v.picklist(['staging', 'staged']),
  total: v.number(),
  taken: v.number(),
  archives: v.array(Archive),
  companions: v.array(v.looseObject({ path: v.string(), kind: v.string(), outcome: v.string() })),
});
const ReviewShape = v.looseObject({
  schema_version: v.literal(1),
  id: v.string(),
  kind: v.string(),
  job_id: v.string(),
  job_ids: v.array(v.string()),
  batch_id: v.string(),
  options: v.array(v.looseObject({ id: v.string(), label: v.string() })),
  files: v.array(v.looseObject({ job_id: v.string() })),
  created_at: v.number(),
  resolved_at: v.nullable(v.number()),
  selected_option: v.nullable(v.string()),
});
const OutboxShape = v.looseObject({
  key: v.string(),
  job_id: v.string(),
  entity: v.string(),
  body: CommitRequestSchema,
  body_sha: v.string(),
  blob_sha256: v.string(),
  created_at: v.number(),
});
const common = {
  batch: v.custom<Batch>((value) => v.is(BatchShape, value)),
  jobs: v.array(
    v.pipe(
      v.unknown(),
      v.transform((row) => parseJob(row)),
    ),
  ),
  reviews: v.array(v.custom<Review>((value) => v.is(ReviewShape, value))),
  steps: v.record(v.string(), v.number()),
};
const Second = v.object({
  ...common,
  schema_version: v.literal(2),
  outbox: v.array(v.custom<OutboxItem>((value) => v.is(OutboxShape, value))),
  archives: v.array(MirroredJobSchema),
});
const First = v.object({
  ...common,
  schema_version: v.literal(1),
  archives: v.array(v.object({ job: MirroredJobSchema, unpacked: v.boolean(), error: v.nullable(v.string()) })),
  parents: v.record(v.string(), v.string()),
});

export function writeDocument(rows: UploadRows): string {
  return JSON.stringify({ schema_version: 2, ...rows });
}

/**
 * What an earlier worker saved; nothing of it is stored here, so every file is to be taken in again. Throws AccessionError
 * `invalid` for a form that this release does not know, or a document that is damaged.
 */
export function readDocument(text: string, files: readonly WorkFile[]): UploadRows {
  let saved: unknown;
  try {
    saved = JSON.parse(text);
  } catch {
    throw unreadable('its document is no JSON');
  }
  const second = v.safeParse(Second, saved);
  if (second.success) return opened(second.output);
  const first = v.safeParse(First, saved);
  if (first.success) return opened(fromFirst(first.output, files));
  const version = v.safeParse(v.object({ schema_version: v.number() }), saved);
  if (version.success && version.output.schema_version > 2)
    throw failed('invalid', 'This upload was begun by a newer release of the worker.');
  throw unreadable(
    v.flatten((version.output === undefined ? first : second).issues).root?.[0] ?? 'a row has another form',
  );
}

function unreadable(why: string): AccessionError {
  return failed('invalid', `What an earlier worker saved of this upload cannot be read: ${why}.`);
}

/** Staging finds out which archives are unpacked again; a commit that was accepted is in the claim's news, any other was not. */
function opened({ batch, jobs, reviews, outbox, steps, archives }: UploadRows): UploadRows {
  return {
    ...{ jobs, reviews, steps, archives },
    batch: { ...batch, state: 'staging' },
    outbox: outbox.map((item) => ({ ...item, commit_sent: false, uploaded_bytes: 0 })),
  };
}

function fromFirst(saved: v.InferOutput<typeof First>, files: readonly WorkFile[]): UploadRows {
  const { batch, reviews, steps, parents } = saved;
  const paths = new Map(files.map((file) => [file.id, file.path]));
  // Archives inside others were named by their path.
  const pathOf = (job: MirroredJob): string => paths.get(job.id) ?? job.original_filename;
  const pathById = new Map(saved.archives.map(({ job }) => [job.id, pathOf(job)]));
  const parentOf = (id: string): string | undefined => pathById.get(parents[id] ?? '');
  const archives = saved.archives.map(({ job, unpacked, error }): BatchArchive => {
    const inside = parentOf(job.id);
    return {
      ...{ path: pathOf(job), sha256: '', done: unpacked, job_id: job.id, size: job.file_size_bytes },
      // Its files were counted one by one already.
      entries: unpacked ? 0 : null,
      ...(inside === undefined ? {} : { inside }),
      ...(error === null ? {} : { error }),
    };
  });
  const jobs = saved.jobs.map((job): Job => {
    const archive = parentOf(job.id);
    return archive === undefined ? job : { ...job, archive };
  });
  const known = new Set([...jobs, ...batch.companions, ...archives].map(({ path }) => path));
  const taken = jobs.length + batch.companions.length + archives.filter((one) => one.done).length;
  const missing = files.filter(({ path }) => !known.has(path)).length + archives.filter((one) => !one.done).length;
  return {
    ...{ jobs, reviews, steps, outbox: [] },
    batch: { ...batch, archives, taken, total: taken + missing },
    archives: saved.archives.map(({ job }) => job),
  };
}
