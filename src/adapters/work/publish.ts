/** Converts approved files and publishes them through the server's own routes, one after the other. */
import type { Settings } from '#core/config.ts';
import { AccessionError, failure } from '#core/errors.ts';
import { commitOfJob, convertRequest } from '#core/job/convert-request.ts';
import type { Job } from '#core/job/job.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { CatalogClient } from '../http/catalog-client.ts';
import type { Uploader } from '../http/upload.ts';
import { isOfPlace } from './place.ts';
import type { WorkBlobs, WorkMedia } from './ports.ts';
import type { WorkDoing } from './progress.ts';
import type { WorkSession } from './session.ts';

export interface PublishUsing {
  session: WorkSession;
  blobs: WorkBlobs;
  media: WorkMedia;
  client: Pick<CatalogClient, 'commit'>;
  upload: Uploader;
  index(): CatalogIndex;
  bitrate: Settings['output_bitrate'];
  clock: Clock;
  ids: Ids;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Says what is done now. */
  tell(doing: WorkDoing, about: { name: string; job: string }): void;
  /** Stops what runs for a job when that job was cancelled. */
  signalOf(jobId: string): AbortSignal;
}

const AGAIN_MS = 2_000;
const OUTCOME: Record<string, string> = {
  created: 'Published',
  unchanged: 'Published (it was there)',
  replaced: 'Replaced',
};

/** The next approved or converted file. Answers false when there is none. */
export async function publishNext(using: PublishUsing): Promise<boolean> {
  const { rows } = using.session;
  const job = rows.jobs().find((one) => ['waiting', 'converting', 'approved'].includes(one.phase));
  if (!job) return false;
  const about = { name: job.original_filename, job: job.id };
  using.tell('converting', about);
  const converted = await convertOne(using, job);
  await using.session.save();
  if (converted) {
    using.tell('publishing', about);
    await publishOne(using, converted);
    await using.session.save();
  }
  return true;
}

/** The job in phase `waiting` with its output in hand, or null where it ended. */
async function convertOne(using: PublishUsing, before: Job): Promise<Job | null> {
  const { session, blobs, media, index } = using;
  const { rows } = session;
  const { id } = before;
  if (before.phase === 'waiting') {
    if (before.output_sha256 !== null && (await blobs.size(before.output_sha256)) !== null) return before;
    // Another worker converted it, and its output is not here.
    rows.apply(id, {
      type: 'unconverted',
      why: 'Converted once more: the worker that had done it is gone',
    });
  }
  // Left by a worker that fell silent in the middle.
  if (before.phase === 'converting')
    rows.apply(id, {
      type: 'unconverted',
      why: 'The worker that converted it fell silent; it is begun again',
    });
  const job = rows.apply(id, { type: 'converting' });
  if (!job) return null;
  const track = job.matched_track_id === null ? null : index().track(job.matched_track_id);
  if (track === null || job.sha256 === null) {
    const words = `The track that "${job.original_filename}" was matched to is not in the catalog any more.`;
    rows.apply(id, { type: 'failed', failure: failure('not_found', words) });
    return null;
  }
  await session.save();
  const album = index().album(track.album_id) ?? undefined;
  const request = convertRequest({ ...job, sha256: job.sha256 }, rows.batch, track, album, using.bitrate);
  const signal = using.signalOf(id);
  const made = await media.run({ kind: 'convert', request }, signal);
  if (made.kind !== 'converted') {
    const why = made.kind === 'failed' ? made.failure : failure('internal', 'The converter answered something else.');
    if (signal.aborted) return null;
    if (isOfPlace(why)) {
      rows.apply(id, { type: 'unconverted', why: why.message });
      throw new AccessionError(why);
    }
    rows.apply(id, { type: 'failed', failure: why });
    return null;
  }
  return rows.apply(id, { type: 'converted', ...made.done });
}

async function publishOne(using: PublishUsing, job: Job): Promise<void> {
  const { session, upload, client, wait } = using;
  const { rows } = session;
  const signal = using.signalOf(job.id);
  const output = {
    sha256: job.output_sha256 ?? '',
    size: job.output_size ?? 0,
    duration_ms: job.output_duration_ms ?? 0,
  };
  const body = {
    ...commitOfJob(job, output),
    lease_id: session.claim.lease_id,
  };
  const key = using.ids.next();
  for (;;) {
    if (signal.aborted) return;
    const sent = await upload({
      sha256: output.sha256,
      size: output.size,
      name: job.original_filename,
      signal,
    });
    const answer = sent.ok ? await client.commit(body, key, signal) : sent;
    if (answer.ok) {
      published(using, job, answer.value, key);
      return;
    }
    const why = answer.failure;
    if (signal.aborted) return;
    if (why.code === 'conflict') {
      // Somebody else published that track meanwhile, or the lease is over; a save tells which.
      await session.save();
      rows.apply(job.id, { type: 'undone' });
      rows.batch = { ...rows.batch, rematch: true };
      return;
    }
    if (!why.retryable || why.code === 'cancelled') {
      const words = `"${job.original_filename}" could not be published: ${why.message}`;
      rows.apply(job.id, {
        type: 'failed',
        failure: failure(why.code, words, { subject: job.original_filename }),
      });
      return;
    }
    await wait(why.retryAfterMs ?? AGAIN_MS, signal);
  }
}

function published(
  { session, clock }: PublishUsing,
  job: Job,
  answer: {
    track_id: string;
    output_file_path: string;
    outcome: string;
    request_status: string | null;
  },
  key: string,
): void {
  session.rows.patch(job.id, {
    status: 'COMPLETED',
    phase: 'published',
    sync: 'published',
    output_file_path: answer.output_file_path,
    completed_at: clock.now(),
    failure: null,
    error_message: null,
    progress: 1,
  });
  const { track_id, outcome, request_status } = answer;
  session.rows.log(job.id, [
    {
      step_type: 'Action',
      content: `${OUTCOME[outcome] ?? 'Published'} as "${answer.output_file_path}"; the track is available`,
      metadata: {
        action: 'Publish',
        track_id,
        outcome,
        request_id: job.context_id,
        request_status,
        idempotency_key: key,
      },
    },
  ]);
}
