/**
 * Takes an upload in: every file that came is fetched from the server, archives are opened under the app's limits, and
 * each file becomes a job, a companion or a failed row. What an earlier worker took in already is only fetched again:
 * paths come out the same each time.
 */
import { AccessionError, failure, toFailure, type Failure } from '#core/errors.ts';
import type { IngestOutcome } from '#core/ingest/ingester.ts';
import type { ArchiveLimits, Expansion } from '#core/ingest/limits.ts';
import { baseName } from '#core/ingest/paths.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import { newJob } from '#core/job/new-job.ts';
import type { StepDraft } from '#core/job/transitions.ts';
import type { BlobRef, Cancel, Clock, Ids } from '#core/ports.ts';
import type { MirroredJob } from '#core/sync/protocol.ts';
import type { WorkFile } from '#core/sync/work-protocol.ts';
import { entryFile, looseFile, type Incoming } from '../browser/stage/incoming.ts';
import { companionOf, contextStep, look } from '../browser/stage/look.ts';
import { placed } from '../browser/stage/unpack.ts';
import { openArchive } from '../media/archive/open.ts';
import { isOfPlace } from './place.ts';
import type { WorkBlobs } from './ports.ts';
import type { WorkRows } from './rows.ts';

export interface StageUsing {
  rows: WorkRows;
  blobs: WorkBlobs;
  /** Bytes of an uploaded file. Throws AccessionError. */
  fetch(file: WorkFile): Promise<AsyncIterable<Uint8Array>>;
  registry: IngesterRegistry;
  limits: ArchiveLimits;
  ids: Ids;
  clock: Clock;
  cancel: Cancel;
  /** Called after each file: the place to save from time to time. */
  progressed(): Promise<void>;
}

interface Inside {
  /** The archive's job. */
  job: string;
  name: string;
  depth: number;
  used: Expansion;
}

/** Throws AccessionError `cancelled`, and what the server or the disk says; a file that is no good is a failed row. */
export async function stageUpload(using: StageUsing, files: readonly WorkFile[]): Promise<void> {
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    stopIfCancelled(using.cancel);
    if ((await using.blobs.size(file.sha256)) === null) {
      const kept = await using.blobs.put(await using.fetch(file), using.cancel);
      if (kept.sha256 !== file.sha256)
        throw new AccessionError(failure('hash_mismatch', `"${file.path}" did not arrive as it was uploaded.`));
    }
    await take(using, looseFile(file.path, await using.blobs.file(file.sha256)), {
      id: file.id,
      inside: null,
      stored: { sha256: file.sha256, size: file.size },
    });
    await using.progressed();
  }
  const { batch } = using.rows;
  if (batch.state !== 'staged') using.rows.batch = { ...batch, state: 'staged' };
}

async function take(using: StageUsing, incoming: Incoming, place: Omit<Taking, 'steps'>): Promise<void> {
  let steps: StepDraft[] = [contextStep(incoming, null, null)];
  try {
    const seen = await look(using.registry, incoming);
    steps = seen.steps;
    await act(using, incoming, seen.outcome, { ...place, steps });
  } catch (error) {
    const why = toFailure(error, incoming.name);
    // The disk of this worker is no fault of the file: another worker may have room.
    if (why.code === 'cancelled' || isOfPlace(why)) throw error;
    addFailed(using, incoming.path, { ...place, size: incoming.size, steps }, why);
  } finally {
    await incoming.release();
  }
}

interface Taking {
  /** The blob that it is already; null for an entry of an archive. */
  stored: BlobRef | null;
  /** Of the job, for an uploaded file. */
  id: string | null;
  inside: Inside | null;
  steps: StepDraft[];
}

async function act(using: StageUsing, incoming: Incoming, outcome: IngestOutcome, taking: Taking): Promise<void> {
  const { rows } = using;
  switch (outcome.as) {
    case 'failed':
      throw new AccessionError(outcome.failure);
    case 'audio': {
      const { sha256, size } = await keep(using, incoming, taking);
      return addAudio(using, incoming.path, { ...taking, sha256, size });
    }
    case 'archive':
      return takeArchive(using, incoming, taking);
    case 'companion': {
      if (rows.batch.companions.some((one) => one.path === incoming.path)) {
        if (outcome.keep === 'blob') await keep(using, incoming, taking);
        return;
      }
      const row = await companionOf(incoming, outcome, () => keep(using, incoming, taking));
      rows.batch = { ...rows.batch, companions: [...rows.batch.companions, row] };
    }
  }
}

async function takeArchive(using: StageUsing, incoming: Incoming, taking: Taking): Promise<void> {
  const { id, inside, steps, stored } = taking;
  const { rows, limits, cancel } = using;
  const known = rows.archives().find((one) => one.job.id === id || pathOf(one.job) === incoming.path);
  const job = known?.job ?? archiveJob(using, incoming, id);
  if (!known) rows.addArchive(job, id !== null, id === null ? steps : []);
  if (inside) rows.setParent(job.id, inside.job);
  if (known && known.error !== null) return;
  const { sha256 } = stored ?? (await using.blobs.keep(incoming.chunks(), cancel));
  const blob = await using.blobs.file(sha256);
  const used = inside?.used ?? { entries: 0, bytes: 0, packed: blob.size };
  const depth = (inside?.depth ?? 0) + 1;
  try {
    const opened = await openArchive(blob, {
      name: incoming.name,
      limits,
      depth,
      used,
    });
    try {
      const archive = {
        path: incoming.path,
        sha256,
        done: false,
        entries: null,
        kind: opened.kind,
      };
      for (const { path, item } of placed(archive, opened)) {
        stopIfCancelled(cancel);
        const within: Inside = {
          job: job.id,
          name: incoming.name,
          depth,
          used,
        };
        if (item.ok)
          await take(using, entryFile(path, item, incoming.name, cancel), {
            id: null,
            inside: within,
            stored: null,
          });
        else {
          const file = {
            path,
            name: item.name,
            size: item.size,
            from: incoming.name,
          };
          const first = [contextStep(file, null, null)];
          const nothing = {
            id: null,
            inside: within,
            stored: null,
            steps: first,
          };
          addFailed(using, path, { ...nothing, size: item.size }, item.failure);
        }
        await using.progressed();
      }
    } finally {
      await opened.close();
    }
    rows.changeArchive(job.id, { unpacked: true });
  } catch (error) {
    const why = toFailure(error, incoming.name);
    if (why.code === 'cancelled' || isOfPlace(why)) throw error;
    rows.changeArchive(job.id, { unpacked: true, error: why.message });
    rows.log(job.id, [errorStep(why)]);
  }
}

/** Archives inside others are told apart by their path, which their job's name carries. */
function pathOf(job: MirroredJob): string {
  return job.original_filename;
}

function archiveJob(using: StageUsing, incoming: Incoming, id: string | null): MirroredJob {
  const { batch } = using.rows;
  const now = using.clock.now();
  return {
    id: id ?? using.ids.next(),
    status: 'PROCESSING',
    original_filename: id === null ? incoming.path : incoming.name,
    file_size_bytes: incoming.size,
    duration_ms: null,
    codec: null,
    bitrate: null,
    context_type: batch.context_type === 'DOWNLOAD_REQUEST' ? 'download_request' : 'spontaneous',
    context_id: batch.context_id,
    matched_track_id: null,
    match_confidence: null,
    match_source: null,
    output_file_path: null,
    error_message: null,
    created_at: now,
    started_at: now,
    completed_at: null,
    updated_at: now,
  };
}

function addAudio(using: StageUsing, path: string, taken: Taking & { sha256: string; size: number }): void {
  const { rows } = using;
  // An image that was split has the paths of its tracks.
  const isKnown = rows
    .jobs()
    .some((job) => job.path === path || (job.segment !== undefined && job.sha256 === taken.sha256));
  if (isKnown) return;
  const twin = rows
    .jobs()
    .find((job) => job.sha256 === taken.sha256 && job.phase !== 'duplicate' && job.status !== 'FAILED');
  const job = addJob(using, path, taken, taken.sha256);
  if (!twin) return;
  const reason = `it has the very same content as "${twin.original_filename}"`;
  rows.apply(job, { type: 'duplicate', of: twin.id, reason });
}

function addFailed(using: StageUsing, path: string, taken: Taking & { size: number }, why: Failure): void {
  if (using.rows.jobs().some((job) => job.path === path)) return;
  const id = addJob(using, path, taken, null);
  using.rows.apply(id, {
    type: 'failed',
    failure: { ...why, retryable: false },
  });
}

function addJob(using: StageUsing, path: string, taken: Taking & { size: number }, sha256: string | null): string {
  const { rows, ids, clock } = using;
  const { batch } = rows;
  const job = newJob({
    id: taken.id ?? ids.next(),
    now: clock.now(),
    batch,
    original_filename: baseName(path),
    path,
    file_size_bytes: taken.size,
    sha256,
  });
  const parent = taken.inside?.job ?? null;
  rows.addJob(job, {
    parent,
    known: taken.id !== null,
    steps: taken.id === null ? taken.steps : [],
  });
  return job.id;
}

async function keep(using: StageUsing, incoming: Incoming, { stored }: Taking): Promise<BlobRef> {
  return stored ?? using.blobs.put(incoming.chunks(), using.cancel);
}

function errorStep(why: Failure): StepDraft {
  return {
    step_type: 'Error',
    content: why.message,
    metadata: { code: why.code, remedy: why.remedy },
  };
}

function stopIfCancelled(cancel: Cancel): void {
  if (cancel.aborted) throw new AccessionError(failure('cancelled', 'cancelled'));
}
