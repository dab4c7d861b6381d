/**
 * The page's doors to the workers. They are opened at the first call and stay open; a worker that
 * cannot be loaded or dies is said once and opened anew at the next call.
 */
import { wrap, type Remote } from 'comlink';
import type { PipelineApi, StageDoor } from '#adapters/browser/api.ts';
import { failure, toFailure } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { toasts } from './state/toasts.svelte.ts';

/** A worker that is opened at the first call. */
export class Door<Api> {
  #remote: Remote<Api> | null = null;
  readonly #open: () => Worker;

  constructor(open: () => Worker) {
    this.#open = open;
  }

  get(): Remote<Api> {
    if (this.#remote !== null) return this.#remote;
    const worker = this.#open();
    worker.addEventListener('error', (event) => {
      this.#remote = null;
      const detail = event.message ? ` (${event.message})` : '';
      toasts.fail(
        failure('worker_died', `A part of the app that works in the background stopped${detail}.`, {
          remedy: 'Reload the page. Nothing is lost.',
        }),
      );
    });
    this.#remote = wrap<Api>(worker);
    return this.#remote;
  }
}

const pipelineDoor = new Door<PipelineApi>(
  () => new Worker(new URL('../../workers/pipeline.worker.ts', import.meta.url), { type: 'module', name: 'pipeline' }),
);
const stageDoor = new Door<StageDoor>(
  () => new Worker(new URL('../../workers/stage.worker.ts', import.meta.url), { type: 'module', name: 'stage' }),
);

export const pipeline = (): Remote<PipelineApi> => pipelineDoor.get();
export const stage = (): Remote<StageDoor> => stageDoor.get();

/** The value of a call, or null after the failure was said to the person. */
export async function ask<T>(call: Promise<Result<T>>): Promise<T | null> {
  try {
    const result = await call;
    if (result.ok) return result.value;
    toasts.fail(result.failure);
  } catch (thrown) {
    toasts.fail(toFailure(thrown));
  }
  return null;
}
