/**
 * The page's clients of the workers. A worker is started by the first call and stays; one that cannot be loaded or dies
 * is reported once and started anew by the next call.
 */
import { wrap, type Remote } from 'comlink';
import type { PipelineApi, StageRpc } from '#adapters/browser/api.ts';
import { serveBeside, startHere, type StartedWorker } from '#adapters/browser/worker-beside.ts';
import { failure } from '#core/errors.ts';
import { tried, type Result } from '#core/result.ts';
import { toasts } from '../parts/toasts.svelte.ts';
import { newModelWorker, newTranscoder } from './kinds.ts';
import { LEAVING_LOCK, onLeaving } from './leaving.ts';
import { RunningWorkers } from './running-workers.ts';

/** Those of this page that were not seen to end. */
const running = new RunningWorkers((ms, run) => void setTimeout(run, ms));
/** Those that have one, or may start one. */
const clients = new Set<{ forget: () => void }>();

/**
 * The workers end with their page (leaving.ts); `workOn` is called where it was not left after all, and starts what is to
 * run by itself. `quiet`: resolves when the page itself has nothing open in the database.
 */
export function endWorkersWithPage(workOn: () => void, quiet: () => Promise<void>): void {
  onLeaving(window, {
    // What the workers write makes the page read.
    tell: () => running.tell().then(quiet),
    end: () => running.end(),
    workOn: () => {
      running.end();
      for (const client of clients) client.forget();
      workOn();
    },
    reload: () => location.reload(),
    hold: (until) => void navigator.locks.request(LEAVING_LOCK, { mode: 'shared' }, () => until),
    after: (ms, run) => void setTimeout(run, ms),
  });
}

/** RPC to a worker that is started by the first call. */
export class WorkerClient<Api> {
  #remote: Remote<Api> | null = null;
  readonly #start: () => Worker;

  constructor(start: () => Worker) {
    this.#start = start;
    clients.add(this);
  }

  /** The next call starts another one. */
  forget(): void {
    this.#remote = null;
  }

  get(): Remote<Api> {
    if (this.#remote !== null) return this.#remote;
    const worker = this.#start();
    void running.add(worker);
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

/** A worker of the page's own, which ends with it as all do. */
export const startedHere = (worker: Worker): StartedWorker => startHere(worker, running);

/** What every worker may have its page start beside it, and what a lane's may besides. */
export function serveWorker(worker: Worker, more: Parameters<typeof serveBeside>[1] = {}): Worker {
  serveBeside(worker, { transcode: newTranscoder, model: newModelWorker, ...more }, running);
  return worker;
}

const pipelineClient = new WorkerClient<PipelineApi>(() => {
  const worker = new Worker(new URL('../../../workers/pipeline.worker.ts', import.meta.url), {
    type: 'module',
    name: 'pipeline',
  });
  return serveWorker(worker);
});
const stageClient = new WorkerClient<StageRpc>(
  () => new Worker(new URL('../../../workers/stage.worker.ts', import.meta.url), { type: 'module', name: 'stage' }),
);

export const pipeline = (): Remote<PipelineApi> => pipelineClient.get();
/** What a lane adds to the pipeline's API, by the lane's id. */
export const laneApi = <Api>(id: string): Remote<Api> =>
  (pipelineClient.get() as unknown as Readonly<Record<string, Remote<Api>>>)[id] as Remote<Api>;
export const stage = (): Remote<StageRpc> => stageClient.get();

/** The value of a call, or null after its failure was shown to the person. */
export async function ask<T>(call: Promise<Result<T>>): Promise<T | null> {
  const result = await tried(() => call);
  if (result.ok) return result.value;
  toasts.fail(result.failure);
  return null;
}
