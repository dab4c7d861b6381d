import { failure, toFailure } from '#core/errors.ts';
import type { Job } from '#core/job/job.ts';
import { evidenceOfSegment } from '#core/job/segment.ts';
import type { JobEvent } from '#core/job/transitions.ts';
import type { FileEvidence } from '#core/music/evidence.ts';
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
  const { segment } = job;
  const outcome = await readBlob(deps, job);
  if (!outcome.ok && outcome.failure.code === 'offline') {
    deps.onToolsMissing();
    return { type: 'unprobed', why: outcome.failure.message };
  }
  if (!outcome.ok) return { type: 'failed', failure: { ...outcome.failure, subject: job.original_filename } };
  const found = outcome.value;
  const cover = found.cover ? await keepCover(deps.blobs, found.cover) : null;
  const evidence: FileEvidence = {
    file_id: job.id,
    path: job.path,
    duration_ms: found.duration_ms === null ? null : Math.round(found.duration_ms),
    codec: found.codec,
    bitrate: found.bitrate,
    tags: found.tags,
    size_bytes: job.file_size_bytes,
  };
  return {
    type: 'probed',
    facts: {
      evidence: segment ? evidenceOfSegment(evidence, segment) : evidence,
      codec: found.codec,
      bitrate: found.bitrate === null ? null : Math.round(found.bitrate),
      sample_rate: found.sample_rate,
      channels: found.channels,
      lossless: found.lossless,
      cover_sha256: cover,
      cover_mime: cover === null ? null : (found.cover?.mime ?? null),
      elapsed_ms: deps.clock.now() - started,
      notes: found.notes ?? [],
      cue: segment ? null : (found.cue ?? null),
    },
  };
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
