/**
 * Sends the workstation's jobs, their logs and their reviews to the server, so that other browsers show them,
 * and brings back answers given there or by scripts. It only follows: nothing waits for it.
 *
 * What to send hangs off the jobs: one that changed since the cursor (updated_at, id) goes with its steps that
 * were not sent yet and with its reviews. The server takes the newer state, so sending twice is harmless.
 */
import { isFinished, type Job } from '#core/job/job.ts';
import type { Clock } from '#core/ports.ts';
import { ok, type Result } from '#core/result.ts';
import type { MirrorRequest, MirrorResponse } from '#core/sync/protocol.ts';
import type { ServerClient } from '../../http/server-client.ts';
import type { AccessionDb } from '../db.ts';
import { EMPTY_MIRROR, readMirrorState, type MirrorState } from '../meta.ts';
import { mirroredJob, mirroredReview, mirroredStep } from '#core/sync/mirror-rows.ts';

export interface MirrorOptions {
  db: AccessionDb;
  client: Pick<ServerClient, 'mirror'> & Partial<Pick<ServerClient, 'knowsMirror'>>;
  clock: Clock;
  /** A review was answered through the server, differently from what is known here. It may write to the database. */
  onRemoteAnswer(reviewId: string, selectedOption: string, by: string | null): Promise<void> | void;
  /** Jobs were cancelled through the server. It may write to the database. */
  onRemoteCancel?(jobIds: string[]): Promise<void> | void;
  /** Jobs were published from here, and the server knows of no commit. It may write to the database. */
  onLost?(jobIds: string[]): Promise<void> | void;
  /** Bounds of one request, tried in this order while the server finds it too large. */
  bounds?: readonly Bounds[];
}

export interface Bounds {
  jobs: number;
  steps: number;
}

const BOUNDS: readonly Bounds[] = [
  { jobs: 50, steps: 500 },
  { jobs: 1, steps: 100 },
  { jobs: 1, steps: 10 },
  { jobs: 1, steps: 1 },
];

export interface Mirrored {
  jobs: number;
  steps: number;
  /** Jobs that the server would not take; left out, so that the others go on. */
  refused: string[];
}

export interface Mirror {
  /** Sends everything new. `ask`: also ask about open reviews and jobs, whether or not they are new. */
  push(ask: boolean, signal?: AbortSignal): Promise<Result<Mirrored>>;
  /** The server lost its data or was put back: send everything again. */
  reset(): Promise<void>;
  /** To be called whenever something may have changed here, whether or not the server can be reached (SYNC-67). */
  noteClock(): Promise<void>;
}

interface Chunk {
  request: MirrorRequest;
  /** The state once it is taken. */
  next: MirrorState;
  /** The state that leaves these jobs behind even where not all of their steps were sent. */
  all: MirrorState;
  jobs: Job[];
}

/** Open questions and unfinished jobs that are asked about at once. */
const MOST_ASKED = 200;

/** Codes that mean: this content will never be taken. */
const REFUSED: ReadonlySet<string> = new Set(['invalid', 'too_large', 'conflict']);

export function createMirror(options: MirrorOptions): Mirror {
  const { db, client } = options;
  const bounds = options.bounds ?? BOUNDS;

  /** Not where it was reset while the request was under way: the server that answered may have been put back since. */
  function save(next: MirrorState): Promise<void> {
    return db.transaction('rw', db.meta, async () => {
      const { resets } = await readMirrorState(db);
      if (resets === next.resets) await db.meta.put({ key: 'mirror', value: next });
    });
  }

  async function take(answer: MirrorResponse): Promise<void> {
    for (const resolved of answer.resolved_reviews) {
      const mine = await db.reviews.get(resolved.id);
      if (mine === undefined || mine.selected_option === resolved.selected_option) continue;
      await options.onRemoteAnswer(resolved.id, resolved.selected_option, resolved.resolved_by_user_id);
    }
    if (answer.cancelled_jobs !== undefined) await options.onRemoteCancel?.(answer.cancelled_jobs);
    if (answer.lost_jobs !== undefined) await options.onLost?.(answer.lost_jobs);
  }

  return { push, reset, noteClock };

  async function push(ask: boolean, signal?: AbortSignal): Promise<Result<Mirrored>> {
    const done: Mirrored = { jobs: 0, steps: 0, refused: [] };
    let level = 0;
    for (;;) {
      const chunk = await nextChunk(db, options.clock.now(), bounds[level] ?? { jobs: 1, steps: 1 });
      if (chunk === null) break;
      const answer = await send(chunk.request, chunk.next.mark, signal);
      if (answer === 'put_back') {
        await reset();
        continue;
      }
      if (answer.ok) {
        // What ended is not asked about again: a page that is closed in between reports it once more.
        await take(answer.value);
        await save({ ...chunk.next, mark: answer.value.mark ?? null });
        done.jobs += chunk.jobs.length;
        done.steps += chunk.request.steps.length;
        level = 0;
      } else if (!REFUSED.has(answer.failure.code)) return answer;
      else if (level < bounds.length - 1) level += 1;
      else {
        // One job alone is refused: the copy at the server lacks it, the work here does not.
        await save(chunk.all);
        done.refused.push(...chunk.jobs.map((job) => job.id));
        level = 0;
      }
    }
    if (done.jobs === 0 && (await wasPutBack(signal))) {
      await reset();
      return push(ask, signal);
    }
    return ask ? askAbout(done, signal) : ok(done);
  }

  function reset(): Promise<void> {
    return db.transaction('rw', db.meta, async () => {
      const { resets } = await readMirrorState(db);
      await db.meta.put({ key: 'mirror', value: { ...EMPTY_MIRROR, resets: resets + 1 } });
    });
  }

  /**
   * What changes while the clock is behind the cursor is sent from the beginning on, also where nothing can be sent
   * before the clock is right again and the cursor is in the past once more.
   */
  async function noteClock(): Promise<void> {
    // Nearly always the clock is right: no other writer has to wait for that to be seen.
    if ((await readMirrorState(db)).updated_at <= options.clock.now()) return;
    await db.transaction('rw', db.meta, async () => {
      const stored = await readMirrorState(db);
      const now = options.clock.now();
      if (stored.updated_at <= now) return;
      // The cursor of a request that is under way is in the future, too.
      const value = { ...begunAgain(stored, now), resets: stored.resets + 1 };
      await db.meta.put({ key: 'mirror', value });
    });
  }

  /** A report after the one with this mark; `put_back`: the server lost that one. */
  async function send(
    request: MirrorRequest,
    mark: string | null,
    signal?: AbortSignal,
  ): Promise<Result<MirrorResponse> | 'put_back'> {
    const answer = await client.mirror(mark === null ? request : { ...request, after: mark }, signal);
    return !answer.ok && mark !== null && answer.failure.code === 'not_found' ? 'put_back' : answer;
  }

  /** With nothing to send: whether the server lost what was sent. Where it cannot be asked, that is asked later. */
  async function wasPutBack(signal?: AbortSignal): Promise<boolean> {
    const { mark } = await readMirrorState(db);
    if (mark === null) return false;
    const answer = await client.knowsMirror?.(mark, signal);
    return answer?.ok === true && !answer.value.known;
  }

  async function askAbout(done: Mirrored, signal?: AbortSignal): Promise<Result<Mirrored>> {
    const open = await db.reviews
      .filter((review) => review.resolved_at === null)
      .limit(MOST_ASKED)
      .toArray();
    const jobs = await db.jobs
      .where('status')
      .anyOf('PENDING', 'PROCESSING', 'AWAITING_REVIEW', 'CONVERTING')
      .limit(MOST_ASKED)
      .toArray();
    if (open.length === 0 && jobs.length === 0) return ok(done);
    const request = { jobs: jobs.map(mirroredJob), steps: [], reviews: open.map(mirroredReview) };
    const from = await readMirrorState(db);
    const answer = await send(request, from.mark, signal);
    if (answer === 'put_back') {
      await reset();
      return push(false, signal);
    }
    if (!answer.ok) return answer;
    await save({ ...from, mark: answer.value.mark ?? null });
    await take(answer.value);
    return ok(done);
  }
}

/** The cursor behind a job. One dated in the future by a wrong clock is remembered by itself (SYNC-9). */
function behind(state: MirrorState, job: Job, now: number): MirrorState {
  if (job.updated_at > now) return { ...state, ahead: { ...state.ahead, [job.id]: job.updated_at } };
  return { ...state, updated_at: job.updated_at, job_id: job.id };
}

/** The next jobs in order of change, with what belongs to them; null when everything was sent. */
async function nextChunk(db: AccessionDb, now: number, bounds: Bounds): Promise<Chunk | null> {
  return db.transaction('r', [db.jobs, db.steps, db.reviews, db.meta], async () => {
    const from = await startOf(db, now);
    const chunk: Chunk = {
      request: { jobs: [], steps: [], reviews: [] },
      next: from,
      jobs: [],
      all: from,
    };
    const progress = new Map(Object.entries(from.steps));
    for (const job of await changedJobs(db, from, now, bounds.jobs)) {
      const room = bounds.steps - chunk.request.steps.length;
      if (room <= 0) break;
      const sent = progress.get(job.id) ?? 0;
      const steps = await db.steps
        .where('[job_id+step_number]')
        .between([job.id, sent], [job.id, Infinity], false)
        .limit(room + 1)
        .toArray();
      chunk.jobs.push(job);
      chunk.request.jobs.push(mirroredJob(job));
      chunk.request.steps.push(...steps.slice(0, room).map(mirroredStep));
      chunk.all = behind(chunk.next, job, now);
      // More steps than fit: the cursor stays before this job, and the rest of it goes next.
      const whole = steps.length <= room;
      if (whole) chunk.next = chunk.all;
      if (whole && isFinished(job)) progress.delete(job.id);
      else progress.set(job.id, steps.slice(0, room).at(-1)?.step_number ?? sent);
      if (!whole) break;
    }
    chunk.next = { ...chunk.next, steps: Object.fromEntries(progress) };
    if (chunk.jobs.length === 0) return null;
    const ids = chunk.jobs.map((job) => job.id);
    const reviews = await db.reviews.where('job_ids').anyOf(ids).distinct().toArray();
    chunk.request.reviews.push(...reviews.map(mirroredReview));
    return chunk;
  });
}

/** Where to go on. */
async function startOf(db: AccessionDb, now: number): Promise<MirrorState> {
  const stored = await readMirrorState(db);
  return stored.updated_at > now ? begunAgain(stored, now) : { ...stored, ahead: stillAhead(stored, now) };
}

/**
 * A cursor from the future was written by a clock that was wrong: begin again (SYNC-9), with the mark of the last report,
 * by which a server that was put back is known (SYNC-66).
 */
function begunAgain(stored: MirrorState, now: number): MirrorState {
  const { resets, mark } = stored;
  return { ...EMPTY_MIRROR, resets, mark, ahead: stillAhead(stored, now) };
}

function stillAhead({ ahead }: MirrorState, now: number): MirrorState['ahead'] {
  return Object.fromEntries(Object.entries(ahead).filter(([, at]) => at > now));
}

async function changedJobs(db: AccessionDb, from: MirrorState, now: number, limit: number): Promise<Job[]> {
  // A row of this very millisecond may still change without its time changing; it goes with the next push.
  const changed = await db.jobs
    .where('updated_at')
    .between(from.updated_at, now, true, false)
    .and((job) => job.updated_at > from.updated_at || job.id > from.job_id)
    .limit(limit)
    .toArray();
  if (changed.length > 0) return changed;
  return db.jobs
    .where('updated_at')
    .above(now)
    .and((job) => from.ahead[job.id] !== job.updated_at)
    .limit(limit)
    .toArray();
}
