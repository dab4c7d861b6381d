/** The workers of a page, from their start until they are seen to end. */
import { PAGE_GOES, WORKER_ENDS } from '#adapters/browser/end-with-page.ts';

/** What of a Worker is needed. */
export interface RunningWorker {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  postMessage(message: typeof PAGE_GOES): void;
  terminate(): void;
}

export class RunningWorkers {
  readonly #workers = new Set<RunningWorker>();
  /** From when they are told to end until they are started anew. */
  #isLeft = false;

  /** One that is started while the page is left ends at once: nothing of it has run yet. */
  add(worker: RunningWorker): void {
    if (this.#isLeft) worker.terminate();
    else this.#workers.add(worker);
  }

  delete(worker: RunningWorker): void {
    this.#workers.delete(worker);
  }

  /**
   * Resolves when all have ended what they were at. One that is only being loaded is waited for, too: what it opens in its
   * first moment may be held as well, and nobody can tell whether it has come so far.
   */
  tell(): Promise<unknown> {
    this.#isLeft = true;
    return Promise.all([...this.#workers].map((worker) => this.#tellOne(worker)));
  }

  /** Ends them at once. */
  end(): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers.clear();
    this.#isLeft = false;
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
    });
  }
}
