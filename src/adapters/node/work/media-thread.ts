import { Worker } from 'node:worker_threads';
import { failure } from '#core/errors.ts';
import type { MediaAnswer, MediaTask } from '../../work/media.types.ts';
import type { WorkMedia } from '../../work/ports.ts';
import type { MediaSetup } from './media.types.ts';

/**
 * One task at a time in a thread that starts with the first. Aborted, it is terminated; the next task gets a new one, as
 * after a thread that died (out of memory, say).
 */
export class MediaThread implements WorkMedia {
  readonly #setup: MediaSetup;
  #thread: Worker | null = null;

  constructor(setup: MediaSetup) {
    this.#setup = setup;
  }

  /** Answers a failure `cancelled` when aborted, `worker_died` when the thread was lost. */
  async run(task: MediaTask, signal: AbortSignal): Promise<MediaAnswer> {
    const name = task.kind === 'probe' ? task.name : task.request.original_filename;
    if (signal.aborted) return { kind: 'failed', failure: failure('cancelled', 'cancelled', { subject: name }) };
    const thread = (this.#thread ??= new Worker(new URL('./media.thread.ts', import.meta.url), {
      workerData: this.#setup,
    }));
    const ended = new AbortController();
    const answer = await new Promise<MediaAnswer>((resolve) => {
      const died = (why: string): void =>
        resolve({
          kind: 'failed',
          failure: failure('worker_died', `The converter stopped at "${name}": ${why}`, { subject: name }),
        });
      const stop = (): void =>
        resolve({ kind: 'failed', failure: failure('cancelled', 'cancelled', { subject: name }) });
      const onError = (error: unknown): void => died(error instanceof Error ? error.message : String(error));
      const onExit = (code: number): void => died(`its thread ended with ${code}.`);
      signal.addEventListener('abort', stop, { signal: ended.signal });
      thread.on('message', resolve).on('error', onError).on('exit', onExit);
      // One by one: the thread has listeners of its own.
      ended.signal.addEventListener('abort', () =>
        thread.off('message', resolve).off('error', onError).off('exit', onExit),
      );
      thread.postMessage(task);
    });
    ended.abort();
    const lost =
      answer.kind === 'failed' && ['cancelled', 'worker_died', 'conversion_failed'].includes(answer.failure.code);
    if (lost) await this.close();
    return answer;
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }
}
