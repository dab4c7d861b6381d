import { failure, toFailure } from '#core/errors.ts';
import type { Job } from '#core/job/job.ts';
import { probedFacts } from '#core/job/probed-facts.ts';
import type { JobEvent } from '#core/job/transitions.ts';
import type { BlobStore } from '#core/ports.ts';
import { fail, type Result } from '#core/result.ts';
import type { ProbeOutcome } from '../api.ts';
import { applyEvent, assertEpoch, jobTables, readPaused, type PipelineContext } from './apply.ts';

export interface ProbeStageDeps extends PipelineContext {
  blobs: BlobStore & { file(sha256: string): Promise<Blob> };
  /** True while the codecs are not here and cannot be fetched: nothing is begun that needs them. */
  toolsMissing(): boolean;
  /** Says that the codecs could not be loaded. */
  onToolsMissing(): void;
  probe(blob: Blob, name: string): Promise<Result<ProbeOutcome>>;
}

/** Probes the next waiting file. Answers false when there is none, or while work is paused. */
export async function probeNext(deps: ProbeStageDeps, epoch: number): Promise<boolean> {
  const { db } = deps;
  if (deps.toolsMissing() || (await readPaused(db))) return false;
  const job = await db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, epoch);
    const next = await db.jobs
      .where('status')
      .equals('PENDING')
      .filter((one) => one.phase === 'queued')
      .first();
    return next ? applyEvent(deps, next.id, { type: 'probe' }) : null;
  });
  if (!job) return false;
  const started = deps.clock.now();
  const event = await probeJob(deps, job, started);
  await db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, epoch);
    await applyEvent(deps, job.id, event);
  });
  return true;
}

async function probeJob(deps: ProbeStageDeps, job: Job, started: number): Promise<JobEvent> {
  const outcome = await readBlob(deps, job);
  if (!outcome.ok && outcome.failure.code === 'offline') {
    deps.onToolsMissing();
    return { type: 'unprobed', why: outcome.failure.message };
  }
  if (!outcome.ok) return { type: 'failed', failure: { ...outcome.failure, subject: job.original_filename } };
  const found = outcome.value;
  const kept = found.cover ? await keepCover(deps.blobs, found.cover) : null;
  const cover = kept === null || !found.cover ? null : { sha256: kept, mime: found.cover.mime };
  return { type: 'probed', facts: probedFacts(job, found, cover, deps.clock.now() - started) };
}

async function readBlob(deps: ProbeStageDeps, job: Job): Promise<Result<ProbeOutcome>> {
  if (job.sha256 === null) {
    return fail(failure('blob_missing', `"${job.original_filename}" is not in this browser's storage any more.`));
  }
  try {
    return await deps.probe(await deps.blobs.file(job.sha256), job.segment?.file ?? job.original_filename);
  } catch (error) {
    return fail(toFailure(error, job.original_filename));
  }
}

/** A cover that cannot be kept (no space) is no reason to fail the file: the audio goes on without it. */
async function keepCover(blobs: BlobStore, cover: { bytes: Uint8Array }): Promise<string | null> {
  async function* once(): AsyncGenerator<Uint8Array> {
    yield cover.bytes;
  }
  try {
    return (await blobs.put(once())).sha256;
  } catch {
    return null;
  }
}
