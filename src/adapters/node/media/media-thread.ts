import { Worker } from 'node:worker_threads';
import { failure, messageOf } from '#core/errors.ts';
import type { CancelSignal } from '#core/cancel.ts';
import type { ConvertRequest, ProbeOutcome } from '#core/media.ts';
import { fail, type Result } from '#core/result.ts';
import type { Converted } from '#core/run/lane-run.ts';

/** What a media thread is started with. */
export interface MediaSetup {
  /** Directory of the blobs in hand. */
  blobs: string;
  /** A native ffmpeg that was found to work; null: the one in WebAssembly. */
  ffmpeg: string | null;
}

/** What is asked of a media thread; it answers a Result of `ProbeOutcome` or `Converted`. */
export type MediaTask = { kind: 'probe'; sha256: string; name: string } | { kind: 'convert'; request: ConvertRequest };

/**
 * Probes and converts, one file at a time, in a thread that starts with the first. Aborted, it is terminated; the next
 * task gets a new one, as after a thread that died (out of memory, say).
 */
export function createMediaThread(setup: MediaSetup) {
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(task: MediaTask, name: string, signal: CancelSignal): Promise<Result<T>> {
    const answer = last.then(() => run<T>(task, name, signal));
    last = answer.catch(() => undefined);
    return answer;
  }

  async function run<T>(task: MediaTask, name: string, signal: CancelSignal): Promise<Result<T>> {
    const cancelled = failure('cancelled', 'cancelled', { subject: name });
    if (signal.aborted) return fail(cancelled);
    const worker = (thread ??= new Worker(new URL('./media.thread.ts', import.meta.url), { workerData: setup }));
    const { promise, resolve } = Promise.withResolvers<Result<T>>();
    const died = (why: string): void =>
      resolve(fail(failure('worker_died', `The converter stopped at "${name}": ${why}`, { subject: name })));
    const stop = (): void => resolve(fail(cancelled));
    const onError = (error: unknown): void => died(messageOf(error));
    const onExit = (code: number): void => died(`its thread ended with ${code}.`);
    signal.addEventListener('abort', stop);
    worker.on('message', resolve).on('error', onError).on('exit', onExit);
    worker.postMessage(task);
    const answer = await promise;
    // One by one: the thread has listeners of its own.
    signal.removeEventListener('abort', stop);
    worker.off('message', resolve).off('error', onError).off('exit', onExit);
    const isLost = !answer.ok && ['cancelled', 'worker_died', 'conversion_failed'].includes(answer.failure.code);
    if (isLost) await close();
    return answer;
  }

  async function close(): Promise<void> {
    const worker = thread;
    thread = null;
    await worker?.terminate();
  }

  return {
    /** Fails with `cancelled` when aborted, `worker_died` when the thread was lost, and what probing fails with. */
    probe: (sha256: string, name: string, signal: CancelSignal): Promise<Result<ProbeOutcome>> =>
      inTurn({ kind: 'probe', sha256, name }, name, signal),
    /** Fails as `probe`, or with what converting fails with. */
    convert: (request: ConvertRequest, signal: CancelSignal): Promise<Result<Converted>> =>
      inTurn({ kind: 'convert', request }, request.original_filename, signal),
    close,
  };
}
