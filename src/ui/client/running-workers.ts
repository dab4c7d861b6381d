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

  add(worker: RunningWorker): void {
    this.#workers.add(worker);
  }

  delete(worker: RunningWorker): void {
    this.#workers.delete(worker);
  }

  /**
   * Resolves when all have ended what they were at. One that is only being loaded is waited for, too: what it opens in its
   * first moment may be held as well, and nobody can tell whether it has come so far.
   */
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
    });
  }
}
