/**
 * What this user's other workstations and the server work on, as sync keeps it in this browser (remote-jobs.ts). Their
 * files are not in this browser: here one follows, answers and cancels.
 */
import { createSubscriber } from 'svelte/reactivity';
import { liveQuery } from 'dexie';
import type { RemoteJobRow, RemoteReviewRow } from '#adapters/browser/db.ts';
import type { Failure } from '#core/errors.ts';
import { isFinished, type ReasoningStep } from '#core/job/job.ts';
import { tried, type Result } from '#core/result.ts';
import type { MirroredJob } from '#core/sync/protocol.ts';
import { server } from '../client/server-client.ts';
import { db } from '../client/db.ts';
import { Live } from '../parts/live.svelte.ts';
import { toasts } from '../parts/toasts.svelte.ts';
import { plural } from '../parts/words.ts';

interface Rows {
  active: RemoteJobRow[];
  finished: RemoteJobRow[];
  reviews: RemoteReviewRow[];
}

async function rows(): Promise<Rows> {
  const [jobs, reviews] = await Promise.all([
    db.remote_jobs.toArray(),
    db.remote_reviews.orderBy('created_at').toArray(),
  ]);
  jobs.sort((a, b) => b.created_at - a.created_at);
  return {
    active: jobs.filter((job) => !isFinished(job)),
    finished: jobs.filter((job) => isFinished(job)),
    reviews,
  };
}

const live = new Live<Rows>(rows, { active: [], finished: [], reviews: [] }, 200, ['remote_jobs', 'remote_reviews']);

class Elsewhere {
  /** Questions and jobs that were just answered or cancelled here, until their rows say so. */
  #done = $state.raw<ReadonlySet<string>>(new Set());
  /** What is being sent. */
  busy = $state.raw<ReadonlySet<string>>(new Set());

  readonly active: RemoteJobRow[] = $derived(live.current.active);
  readonly finished: RemoteJobRow[] = $derived(live.current.finished);
  readonly reviews: RemoteReviewRow[] = $derived(live.current.reviews.filter((one) => !this.#done.has(one.id)));

  /** The first answer counts: of one that came before it is said whose it was and what. */
  async answer(review: RemoteReviewRow, option: string, words: string): Promise<void> {
    const given = await this.#send(review.id, async () =>
      (await server()).answerReview(review.job_id, { selected_option: option, review_id: review.id }),
    );
    if (given.ok) toasts.say(`Answered: ${words}. It goes on where the files are.`);
    else toasts.fail(given.failure);
    if (given.ok || given.failure.code === 'conflict') this.#done = new Set([...this.#done, review.id]);
  }

  async cancel(job: RemoteJobRow): Promise<void> {
    const ended = await this.#send(job.id, async () => (await server()).cancelJob(job.id));
    if (ended.ok) toasts.say(`Cancelled: ${job.original_filename}`);
    else toasts.fail(ended.failure);
  }

  /** Ends them one after the other; what could not be ended is said once. */
  async cancelAll(jobs: readonly RemoteJobRow[]): Promise<void> {
    let ended = 0;
    for (const job of jobs) {
      const done = await this.#send(job.id, async () => (await server()).cancelJob(job.id));
      if (done.ok) ended++;
      // One that has ended meanwhile is what was wanted.
      else if (done.failure.code !== 'conflict') toasts.fail(done.failure);
    }
    if (ended > 0) toasts.say(`${plural(ended, 'file')} cancelled. Where they are, History can take them up again.`);
  }

  async #send<T>(id: string, call: () => Promise<Result<T>>): Promise<Result<T>> {
    this.busy = new Set([...this.busy, id]);
    const done = await tried(call);
    this.busy = new Set([...this.busy].filter((one) => one !== id));
    return done;
  }
}

export const elsewhere = new Elsewhere();

export interface RemoteJob {
  job: MirroredJob;
  steps: ReasoningStep[];
}

/** One job with its log: asked of the server when it is opened, and again whenever its row says that it moved. */
export class RemoteLog {
  current = $state.raw<RemoteJob | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #subscribe: () => void;

  constructor(id: string) {
    this.#subscribe = createSubscriber(() => {
      let asked = 0;
      const look = async (): Promise<void> => {
        const turn = (asked += 1);
        const answer = await tried(async () => (await server()).job(id));
        // A later look knows more.
        if (turn !== asked) return;
        if (answer.ok) {
          const { reasoning_steps, ...job } = answer.value;
          this.current = { job, steps: reasoning_steps.map((step) => ({ ...step, job_id: id })) };
        }
        this.failure = answer.ok ? null : answer.failure;
      };
      const subscription = liveQuery(() => db.remote_jobs.get(id)).subscribe(() => void look());
      return () => {
        asked += 1;
        subscription.unsubscribe();
      };
    });
  }

  /** Follows it for as long as an effect reads it. */
  watch(): this {
    this.#subscribe();
    return this;
  }
}
