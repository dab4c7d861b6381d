import { liveQuery, type Subscription } from 'dexie';
import { createSubscriber } from 'svelte/reactivity';
import type { ReasoningStep } from '#core/job/job.ts';
import { db, readLog } from '../client/db.ts';

/** Steps read at once. */
const PAGE = 500;
/** Milliseconds between two reads while a job writes many steps. */
const PAUSE_MS = 200;

/**
 * A job's reasoning log, live. Steps are only ever added, so only what came after the last one that is known is read:
 * a log of thousands costs nothing when one more comes.
 */
export class StepLog {
  #steps: readonly ReasoningStep[] = [];
  readonly #jobId: string;
  readonly #subscribe: () => void;

  constructor(jobId: string) {
    this.#jobId = jobId;
    this.#subscribe = createSubscriber((update) => this.#watch(update));
  }

  get current(): readonly ReasoningStep[] {
    this.#subscribe();
    return this.#steps;
  }

  #watch(update: () => void): () => void {
    let subscription: Subscription | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = (): void => {
      subscription = liveQuery(() => this.#after()).subscribe((rows) => {
        if (rows.length === 0) return;
        subscription?.unsubscribe();
        this.#steps = [...this.#steps, ...rows];
        update();
        timer = setTimeout(next, rows.length >= PAGE ? 0 : PAUSE_MS);
      });
    };
    next();
    return () => {
      clearTimeout(timer);
      subscription?.unsubscribe();
    };
  }

  #after(): Promise<ReasoningStep[]> {
    return readLog(db, this.#jobId, this.#steps.at(-1)?.step_number ?? 0, PAGE);
  }
}
