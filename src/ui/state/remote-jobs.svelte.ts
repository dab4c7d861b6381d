/**
 * Jobs of this user's other workstations, as they are mirrored to the server. They are only looked at here: what is to
 * be done with them is done where their files lie.
 */
import { createSubscriber } from 'svelte/reactivity';
import { toFailure, type Failure } from '#core/errors.ts';
import { isFinished, type ReasoningStep } from '#core/job/job.ts';
import type { Result } from '#core/result.ts';
import type { MirroredJob } from '#core/sync/protocol.ts';
import { catalog } from '../catalog-door.ts';
import { db } from '../db.ts';

/** Milliseconds between two looks while something is under way; none while the page is hidden. */
const PAUSE_MS = 2000;

/** What a look at the server brings, looked at again while it is read and not at its end. */
class Remote<T> {
  current = $state.raw<T | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #subscribe: () => void;

  constructor(look: () => Promise<Result<T>>, isOver: (value: T) => boolean) {
    this.#subscribe = createSubscriber(() => {
      let stopped = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const turn = async (): Promise<void> => {
        if (!document.hidden) {
          const answer = await look().catch((thrown: unknown): Result<T> => ({
            ok: false,
            failure: toFailure(thrown),
          }));
          if (stopped) return;
          if (answer.ok) this.current = answer.value;
          this.failure = answer.ok ? null : answer.failure;
          if (answer.ok ? isOver(answer.value) : !answer.failure.retryable) return;
        }
        timer = setTimeout(() => void turn(), PAUSE_MS);
      };
      void turn();
      return () => {
        stopped = true;
        clearTimeout(timer);
      };
    });
  }

  /** Begins to look, for as long as an effect reads it. */
  watch(): this {
    this.#subscribe();
    return this;
  }
}

export interface RemoteJob {
  job: MirroredJob;
  steps: ReasoningStep[];
}

/** One job with its log. */
export function remoteJob(id: string): Remote<RemoteJob> {
  return new Remote(
    async () => {
      const answer = await (await catalog()).job(id);
      if (!answer.ok) return answer;
      const { reasoning_steps, ...job } = answer.value;
      return { ok: true, value: { job, steps: reasoning_steps.map((step) => ({ ...step, job_id: id })) } };
    },
    ({ job }) => isFinished(job),
  );
}

/** Jobs asked for at once; the newest are what somebody looks for. */
const MOST = 200;

/** The newest jobs that are not in this browser. */
export function jobsElsewhere(): Remote<MirroredJob[]> {
  return new Remote(
    async () => {
      const answer = await (await catalog()).jobs({ limit: MOST });
      if (!answer.ok) return answer;
      const here = await db.jobs.bulkGet(answer.value.items.map((job) => job.id));
      return { ok: true, value: answer.value.items.filter((_, at) => here[at] === undefined) };
    },
    () => false,
  );
}
