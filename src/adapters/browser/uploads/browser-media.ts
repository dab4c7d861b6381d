import { failure, toFailure } from '#core/errors.ts';
import type { ConvertRequest } from '#core/job/convert-request.ts';
import { fail, type Result } from '#core/result.ts';
import type { MediaAnswer, MediaTask } from '../../work/media.types.ts';
import type { WorkMedia } from '../../work/ports.ts';
import type { ProbeOutcome, TranscodeDone } from '../api.ts';
import { LastingWorker } from '../pipeline/lasting-worker.ts';
import type { TranscodeWorker } from '../pipeline/transcode-stage.ts';

export interface BrowserMediaDeps {
  file(sha256: string): Promise<Blob>;
  probe(blob: Blob, name: string): Promise<Result<ProbeOutcome>>;
  spawn(): TranscodeWorker;
  /** The output lies in the blob store. */
  made(sha256: string): Promise<void>;
  /** Shares of 1, by job. */
  tell(shares: ReadonlyMap<string, number>): void;
}

/** The workstation's own probe and a transcode worker, which starts with the first file and is ended by `close`. */
export class BrowserMedia implements WorkMedia {
  readonly #deps: BrowserMediaDeps;
  #worker: LastingWorker | null = null;

  constructor(deps: BrowserMediaDeps) {
    this.#deps = deps;
  }

  async run(task: MediaTask, signal: AbortSignal): Promise<MediaAnswer> {
    const name = task.kind === 'probe' ? task.name : task.request.original_filename;
    const cancelled: MediaAnswer = { kind: 'failed', failure: failure('cancelled', 'cancelled', { subject: name }) };
    if (signal.aborted) return cancelled;
    try {
      return task.kind === 'probe'
        ? await this.#probe(task.sha256, name)
        : await this.#convert(task.request, signal, cancelled);
    } catch (error) {
      return { kind: 'failed', failure: toFailure(error, name) };
    }
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  async #probe(sha256: string, name: string): Promise<MediaAnswer> {
    const found = await this.#deps.probe(await this.#deps.file(sha256), name);
    return found.ok ? { kind: 'probed', outcome: found.value } : { kind: 'failed', failure: found.failure };
  }

  async #convert(request: ConvertRequest, signal: AbortSignal, cancelled: MediaAnswer): Promise<MediaAnswer> {
    let stop = (): void => undefined;
    const stopped = new Promise<'stopped'>((resolve) => (stop = () => resolve('stopped')));
    signal.addEventListener('abort', stop);
    try {
      let outcome = await Promise.race([this.#transcode(request, true), stopped]);
      if (outcome !== 'stopped' && !outcome.ok && outcome.failure.code === 'worker_died') {
        // What it died of may be the fast way: once more without it, in a worker that has not met the file.
        this.close();
        outcome = await Promise.race([this.#transcode(request, false), stopped]);
      }
      if (outcome === 'stopped') {
        this.close();
        return cancelled;
      }
      if (!outcome.ok) {
        // The memory of a worker in which something failed is not to be trusted.
        this.close();
        return { kind: 'failed', failure: outcome.failure };
      }
      await this.#deps.made(outcome.value.sha256);
      return { kind: 'converted', done: outcome.value };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #transcode(request: ConvertRequest, fast: boolean): Promise<Result<TranscodeDone>> {
    const { original_filename: name, job_id } = request;
    const worker = (this.#worker ??= new LastingWorker(this.#deps.spawn()));
    const onProgress = (share: number): void => this.#deps.tell(new Map([[job_id, Math.min(1, Math.max(0, share))]]));
    return worker.orDead(
      () => worker.api.transcode({ ...request, fast }, onProgress),
      ({ message }) => fail(failure('worker_died', `The converter stopped at "${name}": ${message}`)),
    );
  }
}
