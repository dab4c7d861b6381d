import type { TranscodeWorker } from './transcode-stage.ts';

/**
 * A worker that converts one file after the other. Its death is listened to once: a reaction for each file, on a
 * promise that lives as long as the worker does, would keep every file's row until the last is converted.
 */
export class LastingWorker {
  readonly api: TranscodeWorker['api'];
  readonly terminate: () => void;
  #dead: Error | null = null;
  #tell: ((error: Error) => void) | null = null;

  constructor(worker: TranscodeWorker) {
    this.api = worker.api;
    this.terminate = () => worker.terminate();
    void worker.died.then((error) => {
      this.#dead = error;
      this.#tell?.(error);
    });
  }

  /** What the work answers, or `ofDeath` where the worker dies before. One at a time. */
  async orDead<T>(work: () => Promise<T>, ofDeath: (error: Error) => T): Promise<T> {
    if (this.#dead) return ofDeath(this.#dead);
    const death = new Promise<T>((resolve) => {
      this.#tell = (error) => resolve(ofDeath(error));
    });
    try {
      return await Promise.race([work(), death]);
    } finally {
      this.#tell = null;
    }
  }
}
