/** The workers of a page, from their start until they are seen to end. */
import { PAGE_GOES, WORKER_BEGINS, WORKER_ENDS } from '#adapters/browser/end-with-page.ts';

/** What of a Worker is needed. */
export interface RunningWorker {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  postMessage(message: typeof PAGE_GOES): void;
  terminate(): void;
}

/** How long one that is told to end may take to say that its program runs at all, milliseconds. */
const BEGIN_MS = 1_000;

export class RunningWorkers {
  readonly #workers = new Set<RunningWorker>();
  /** Those whose program runs: they may have something open in the database. */
  readonly #begun = new WeakSet<RunningWorker>();
  readonly #after: (ms: number, run: () => void) => void;

  constructor(after: (ms: number, run: () => void) => void) {
    this.#after = after;
  }

  add(worker: RunningWorker): void {
    this.#workers.add(worker);
    worker.addEventListener('message', ({ data }) => {
      if (data === WORKER_BEGINS) this.#begun.add(worker);
    });
  }

  delete(worker: RunningWorker): void {
    this.#workers.delete(worker);
  }

  /** Resolves when all have ended what they were at. One that is only being loaded has nothing open, and is not waited for. */
  tell(): Promise<unknown> {
    return Promise.all([...this.#workers].map((worker) => this.#tellOne(worker)));
  }

  /** Ends them at once. */
  end(): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers.clear();
  }

  #tellOne(worker: RunningWorker): Promise<void> {
    return new Promise((ended) => {
      worker.addEventListener('message', ({ data }) => {
        if (data !== WORKER_ENDS) return;
        this.delete(worker);
        ended();
      });
      worker.addEventListener('error', ended);
      worker.postMessage(PAGE_GOES);
      if (this.#begun.has(worker)) return;
      // That it runs may have been said already, and not been heard yet.
      this.#after(BEGIN_MS, () => {
        if (this.#begun.has(worker)) return;
        worker.terminate();
        this.delete(worker);
        ended();
      });
    });
  }
}
