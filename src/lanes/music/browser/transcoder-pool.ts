/** Workers that convert: each runs one file at a time and is terminated to cancel. */
import type { TranscodeApi } from '#adapters/browser/api.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failure } from '#core/errors.ts';
import type { ConvertRequest } from '#core/media.ts';
import { fail, type Result } from '#core/result.ts';
import type { Converted } from '#core/run/lane-run.ts';
import { proxy, wrap } from 'comlink';

export interface TranscodeWorker {
  api: Pick<TranscodeApi, 'transcode'>;
  /** Resolves when the worker could not be loaded or broke down. */
  died: Promise<Error>;
  terminate(): void;
}

export class TranscoderPool {
  readonly #spawn: () => TranscodeWorker;
  readonly #idle: LastingWorker[] = [];

  constructor(spawn: () => TranscodeWorker) {
    this.#spawn = spawn;
  }

  /** Converts one file. Aborted, it ends at once with `cancelled`; `report` gets the share 0..1 that is done. */
  async convert(
    request: ConvertRequest,
    { signal, report }: { signal: CancelSignal; report(share: number): void },
  ): Promise<Result<Converted>> {
    let worker = this.#take();
    const stopped = new Promise<'stopped'>((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
    let outcome = await Promise.race([run(worker, request, true, report), stopped]);
    if (outcome !== 'stopped' && !outcome.ok && outcome.failure.code === 'worker_died') {
      // What it died of may be the fast way: once more without it, in a worker that has not met the file.
      worker.terminate();
      worker = new LastingWorker(this.#spawn());
      outcome = await Promise.race([run(worker, request, false, report), stopped]);
    }
    // After a failure the next file gets a new worker: the old one's memory is not to be trusted.
    if (outcome !== 'stopped' && outcome.ok) this.#idle.push(worker);
    else worker.terminate();
    return outcome === 'stopped' ? fail(failure('cancelled', 'cancelled')) : outcome;
  }

  /** Ends the workers that have nothing to do. */
  rest(): void {
    for (const worker of this.#idle.splice(0)) worker.terminate();
  }

  #take(): LastingWorker {
    return this.#idle.pop() ?? new LastingWorker(this.#spawn());
  }
}

async function run(
  worker: LastingWorker,
  request: ConvertRequest,
  fast: boolean,
  report: (share: number) => void,
): Promise<Result<Converted>> {
  return worker.orDead(
    () => worker.api.transcode({ ...request, fast }, report),
    ({ message }) =>
      fail(failure('worker_died', `The converter stopped at "${request.original_filename}": ${message}`)),
  );
}

/**
 * A worker that converts one file after the other. Its death is listened to once: a reaction for each file, on a
 * promise that lives as long as the worker does, would keep every file's row until the last is converted.
 */
export class LastingWorker {
  readonly api: TranscodeWorker['api'];
  readonly terminate: () => void;
  #dead: Error | null = null;
  #onDeath: ((error: Error) => void) | null = null;

  constructor(worker: TranscodeWorker) {
    this.api = worker.api;
    this.terminate = () => worker.terminate();
    void worker.died.then((error) => {
      this.#dead = error;
      this.#onDeath?.(error);
    });
  }

  /** What the work answers, or `ofDeath` where the worker dies before. One at a time. */
  async orDead<T>(work: () => Promise<T>, ofDeath: (error: Error) => T): Promise<T> {
    if (this.#dead) return ofDeath(this.#dead);
    const death = new Promise<T>((resolve) => {
      this.#onDeath = (error) => resolve(ofDeath(error));
    });
    try {
      return await Promise.race([work(), death]);
    } finally {
      this.#onDeath = null;
    }
  }
}

/** A new transcode worker; it loads its codecs when the first file comes. */
export function spawnTranscoder(): TranscodeWorker {
  // In one expression: that is how Vite sees that this file is a worker to be built, and not an asset to be copied.
  const worker = new Worker(new URL('../../../../workers/transcode.worker.ts', import.meta.url), {
    type: 'module',
    name: 'transcode',
  });
  const remote = wrap<TranscodeApi>(worker);
  return {
    api: { transcode: (request, onProgress) => remote.transcode(request, proxy(onProgress)) },
    died: new Promise((resolve) => worker.addEventListener('error', (event) => resolve(new Error(event.message)))),
    terminate: () => worker.terminate(),
  };
}
