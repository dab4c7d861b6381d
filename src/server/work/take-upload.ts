/** An upload becomes a batch: a job for each file of sound and each archive, and a worker is wanted. */
import { describeBytes, kindLabel } from '#core/ingest/file-kinds.ts';
import { ingestFile } from '#core/ingest/registry.ts';
import type { IngestOutcome } from '#core/ingest/ingester.ts';
import { baseName, planLabel, planPaths } from '#core/ingest/paths.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { UploadAnswer } from '#core/sync/work-protocol.ts';
import { writeAudit } from '../audit/audit.ts';
import { HttpError } from '../http/http-error.ts';
import { toJob } from '../ingest/job-records.ts';
import { noteJobs } from '../ingest/updates.ts';
import type { LaneServer } from '../lane-server.ts';
import { chunks, idsOf } from '../store/rows.ts';
import type { IngestionJobTable, IngestionStepTable, Tx } from '../store/schema.ts';
import type { ReceivedFile } from './receive.ts';

export interface UploadContext {
  type: 'DOWNLOAD_REQUEST' | 'SPONTANEOUS';
  /** Of the download request. */
  id: string | null;
}

interface UploadUsing {
  clock: Clock;
  ids: Ids;
  lanes: readonly LaneServer[];
}

/** Throws HttpError 422 for a request that is not pending. Answers also which files no row wants to keep. */
export async function takeUpload(
  tx: Tx,
  using: UploadUsing,
  userId: string,
  files: readonly ReceivedFile[],
  context: UploadContext,
): Promise<{ answer: UploadAnswer; needless: ReceivedFile[] }> {
  await checkContext(tx, using.lanes, context);
  const registry = ingesterRegistry(using.lanes.map(({ takes = [] }) => ({ ingesters: takes })));
  const now = using.clock.now();
  const batch = { id: using.ids.next(), user_id: userId, context_type: context.type, context_id: context.id };
  const planned = planPaths(files.map((file) => ({ path: file.name, file })));
  const jobs: IngestionJobTable[] = [];
  const steps: IngestionStepTable[] = [];
  const kept: { path: string; file: ReceivedFile }[] = [];
  const needless: ReceivedFile[] = [];
  for (const { path, file } of planned) {
    const { agentId, outcome } = ingestFile(registry, { path, size: file.size, kind: file.kind });
    const failed = outcome.as === 'failed';
    if (failed || (outcome.as === 'companion' && outcome.keep === 'nothing')) needless.push(file);
    else kept.push({ path, file });
    if (outcome.as === 'companion') continue;
    const job = jobOf(file, path, outcome, { ...batch, now });
    jobs.push(job);
    const step = { job_id: job.id, timestamp: now, duration_ms: null, same_as: null };
    const facts = { path, size: file.size, from: null, kind: file.kind, ingester: agentId };
    const read = file.kind === 'unknown' ? '' : `, ${kindLabel(file.kind)} by its content`;
    const content = `"${file.name}" came over HTTP: ${describeBytes(file.size)}${read}.`;
    const first = { ...step, step_number: 1, step_type: 'Context' as const, content, metadata: JSON.stringify(facts) };
    steps.push({ ...first, id: using.ids.next() });
    if (outcome.as !== 'failed') continue;
    const { code, remedy, message } = outcome.failure;
    const second = { ...step, step_number: 2, step_type: 'Error' as const, content: message };
    steps.push({ ...second, id: using.ids.next(), metadata: JSON.stringify({ code, remedy }) });
  }
  const state = jobs.some((job) => job.status === 'PENDING') ? ('ready' as const) : ('done' as const);
  const label = planLabel(planned);
  const idle = { lease_id: null, worker: null, lease_until: null, lost: 0 };
  const unsaved = { saved_sha256: null, revision: 0 };
  await tx
    .insertInto('work_batches')
    .values({ ...batch, ...idle, ...unsaved, label, state, created_at: now, updated_at: now })
    .execute();
  const rows = kept.map(({ path, file: { id, size, sha256 } }) => ({ id, batch_id: batch.id, path, size, sha256 }));
  for (const part of chunks(state === 'done' ? [] : rows, 5)) await tx.insertInto('work_files').values(part).execute();
  for (const part of chunks(jobs, 24)) await tx.insertInto('ingestion_jobs').values(part).execute();
  for (const part of chunks(steps, 9)) await tx.insertInto('ingestion_steps').values(part).execute();
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const details = { label, files: files.length, bytes, jobs: jobs.length, request: context.id };
  await writeAudit(tx, { at: now, user_id: userId, action: 'upload.received', entity_id: batch.id, details });
  await noteJobs(tx, idsOf(jobs));
  const answer = { batch_id: batch.id, job_ids: idsOf(jobs), jobs: jobs.map(toJob) };
  return { answer, needless: state === 'done' ? [...files] : needless };
}

async function checkContext(tx: Tx, lanes: UploadUsing['lanes'], { type, id }: UploadContext): Promise<void> {
  if (type === 'SPONTANEOUS') {
    if (id === null) return;
    throw new HttpError('invalid', '"context_id" goes with the context_type "download_request" alone.', {
      status: 422,
    });
  }
  let status: 'pending' | 'fulfilled' | null = null;
  for (const lane of lanes) status ??= (await lane.requestStatus?.(tx, id ?? '')) ?? null;
  if (status === 'pending') return;
  const what = status === 'fulfilled' ? 'is fulfilled already' : 'is not known here';
  throw new HttpError('invalid', `The download request "${id ?? ''}" ${what}.`, { status: 422 });
}

interface Row {
  id: string;
  user_id: string;
  context_type: 'DOWNLOAD_REQUEST' | 'SPONTANEOUS';
  context_id: string | null;
  now: number;
}

function jobOf(file: ReceivedFile, path: string, outcome: IngestOutcome, batch: Row): IngestionJobTable {
  const why = outcome.as === 'failed' ? outcome.failure.message : null;
  return {
    id: file.id,
    status: why === null ? 'PENDING' : 'FAILED',
    user_id: batch.user_id,
    original_filename: baseName(path),
    file_size_bytes: file.size,
    duration_ms: null,
    codec: null,
    bitrate: null,
    context_type: batch.context_type,
    context_id: batch.context_id,
    matched_track_id: null,
    match_confidence: null,
    match_source: null,
    output_file_path: null,
    error_message: why,
    created_at: batch.now,
    started_at: null,
    completed_at: why === null ? null : batch.now,
    updated_at: batch.now,
    committed: 0,
    parent_job_id: null,
    batch_id: batch.id,
    cancelled_at: null,
    heard_at: null,
  };
}
