/**
 * The workers of a page, from their start until they are seen to end. None is ended from outside while it may have something
 * open in the database: WebKit would hold the database for ever (docs/PERFORMANCE.md).
 */
import { PAGE_GOES, WORKER_ENDS } from '#adapters/browser/end-with-page.ts';

/** Milliseconds that one which is not wanted any more has, to end by itself. One that computes does not hear that long. */
const END_MS = 2000;

/** What of a Worker is needed. */
export interface RunningWorker {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  postMessage(message: typeof PAGE_GOES): void;
  terminate(): void;
}

export class RunningWorkers {
  /** Each with what is called when it has ended. */
  readonly #workers = new Map<RunningWorker, PromiseWithResolvers<unknown>>();
  readonly #after: (ms: number, run: () => void) => void;
  /** From when they are told to end until they are started anew. */
  #isLeft = false;

  constructor(after: (ms: number, run: () => void) => void) {
    this.#after = after;
  }

  /**
   * Resolves when it has ended or broken down. One that is started while the page is left ends at once: nothing of it has
   * run yet.
   */
  add(worker: RunningWorker): Promise<unknown> {
    const ended = Promise.withResolvers<unknown>();
    if (this.#isLeft) {
      worker.terminate();
      ended.resolve(null);
      return ended.promise;
    }
    this.#workers.set(worker, ended);
    // One that broke down may run on all the same: it is told as the others are, and not waited for.
    worker.addEventListener('error', () => ended.resolve(null));
    worker.addEventListener('message', ({ data }) => {
      if (data === WORKER_ENDS) this.#forget(worker);
    });
    return ended.promise;
  }

  /** Ends one that is not wanted any more: it ends what it is at in the database, and is stopped where it does not. */
  stop(worker: RunningWorker): void {
    if (!this.#workers.has(worker)) return worker.terminate();
    worker.postMessage(PAGE_GOES);
    this.#after(END_MS, () => {
      if (this.#workers.has(worker)) this.#end(worker);
    });
  }

  /**
   * Resolves when all have ended what they were at. One that is only being loaded is waited for, too: what it opens in its
   * first moment may be held as well, and nobody can tell whether it has come so far.
   */
  tell(): Promise<unknown> {
    this.#isLeft = true;
    for (const worker of this.#workers.keys()) worker.postMessage(PAGE_GOES);
    return Promise.all([...this.#workers.values()].map(({ promise }) => promise));
  }

  /** Ends them at once. */
  end(): void {
    for (const worker of this.#workers.keys()) this.#end(worker);
    this.#isLeft = false;
  }

  #end(worker: RunningWorker): void {
    worker.terminate();
    this.#forget(worker);
  }

  #forget(worker: RunningWorker): void {
    this.#workers.get(worker)?.resolve(null);
    this.#workers.delete(worker);
  }
}
