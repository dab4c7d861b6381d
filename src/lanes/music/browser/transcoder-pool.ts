/** Workers that convert: each runs one file at a time and is terminated to cancel. */
import type { TranscodeApi, TranscodeRequest } from '#adapters/browser/api.ts';
import { systemTimers } from '#adapters/browser/system.ts';
import { remoteOf, type StartedWorker } from '#adapters/browser/worker-beside.ts';
import type { Timers } from '#adapters/http/socket.ts';
import { Signs } from '#adapters/signs.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failure } from '#core/errors.ts';
import type { ConvertRequest } from '#core/media.ts';
import { fail, type Result } from '#core/result.ts';
import type { Converted } from '#core/run/lane-run.ts';
import { proxy } from 'comlink';

export interface TranscodeWorker {
  api: Pick<TranscodeApi, 'transcode'>;
  /** Resolves when the worker could not be loaded or broke down. */
  died: Promise<Error>;
  terminate(): void;
}

/** A worker that says nothing for so long does nothing any more. Milliseconds. */
const SILENT_MS = 60_000;

export function createTranscoderPool(spawn: () => TranscodeWorker, timers = systemTimers) {
  const idle: LastingWorker[] = [];
  return {
    /** Converts one file. Aborted, it ends at once with `cancelled`; `report` gets the share 0..1 that is done. */
    async convert(
      request: ConvertRequest,
      { signal, report }: { signal: CancelSignal; report(share: number): void },
    ): Promise<Result<Converted>> {
      let worker = idle.pop() ?? lastingWorker(spawn());
      const stopped = new Promise<'stopped'>((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
      let outcome = await Promise.race([transcode(worker, { ...request, fast: true }, report, timers), stopped]);
      if (outcome !== 'stopped' && !outcome.ok && outcome.failure.code === 'worker_died') {
        // What it died of may be the fast way: once more without it, in a worker that has not met the file.
        worker.terminate();
        worker = lastingWorker(spawn());
        outcome = await Promise.race([transcode(worker, { ...request, fast: false }, report, timers), stopped]);
      }
      // After a failure the next file gets a new worker: the old one's memory is not to be trusted.
      if (outcome !== 'stopped' && outcome.ok) idle.push(worker);
      else worker.terminate();
      return outcome === 'stopped' ? fail(failure('cancelled', 'cancelled')) : outcome;
    },

    /** Ends the workers that have nothing to do. */
    rest(): void {
      for (const worker of idle.splice(0)) worker.terminate();
    },
  };
}

/** What the worker makes of the file, or the failure `worker_died`: also of one that lives and does nothing. */
export function transcode(
  worker: LastingWorker,
  request: TranscodeRequest,
  report: (share: number) => void,
  timers: Timers = systemTimers,
): Promise<Result<Converted>> {
  const signs = new Signs(timers, SILENT_MS);
  const died = (why: string): Result<never> =>
    fail(failure('worker_died', `The converter stopped at "${request.original_filename}": ${why}`));
  const work = (): Promise<Result<Converted>> =>
    worker.api.transcode(request, (share) => {
      signs.give();
      report(share);
    });
  return worker.orDead(
    () => signs.orSilent(work(), () => died('nothing has moved for a minute')),
    ({ message }) => died(message),
  );
}

type LastingWorker = ReturnType<typeof lastingWorker>;

/**
 * A worker that converts one file after the other. Its death is listened to once: a reaction for each file, on a
 * promise that lives as long as the worker does, would keep every file's row until the last is converted.
 */
export function lastingWorker(worker: TranscodeWorker) {
  let dead: Error | null = null;
  let onDeath: ((error: Error) => void) | null = null;
  void worker.died.then((error) => {
    dead = error;
    onDeath?.(error);
  });
  return {
    api: worker.api,
    terminate: () => worker.terminate(),
    /** What the work answers, or `ofDeath` where the worker dies before. One at a time. */
    async orDead<T>(work: () => Promise<T>, ofDeath: (error: Error) => T): Promise<T> {
      if (dead) return ofDeath(dead);
      const death = new Promise<T>((resolve) => {
        onDeath = (error) => resolve(ofDeath(error));
      });
      try {
        return await Promise.race([work(), death]);
      } finally {
        onDeath = null;
      }
    },
  };
}

/** A transcode worker as the pool needs it; it loads its codecs when the first file comes. */
export function transcoderOf(worker: StartedWorker): TranscodeWorker {
  const opened = remoteOf<TranscodeApi>(worker);
  return {
    api: { transcode: async (request, onProgress) => (await opened).remote.transcode(request, proxy(onProgress)) },
    died: worker.died,
    terminate: worker.terminate,
  };
}
