/** What stands behind model.worker's door: the manager, the engines, and the check of a provider. */
import { failure, toFailure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { HealthReport, HealthStage, LlmProvider } from '#core/agent/llm/provider.ts';
import type { CompletionResponse } from '#core/agent/llm/message.ts';
import type { DownloadProgress, LocalModel, MachineReport, ModelApi, ModelDraft } from '../browser/api.ts';
import { EngineHost } from './engine-host.ts';
import type { Engine } from './engine.ts';
import type { InferenceApi, InferenceRequest, ModelChoice, ModelSession } from './inference.ts';
import { ModelManager } from './manager.ts';
import type { ManagerPorts } from './manager-ports.ts';

export interface ModelServicePorts extends ManagerPorts {
  /** `id` is how sentences call the model. */
  openGguf: (model: { id: string; file: Blob; contextLength: number }) => Promise<Result<Engine>>;
  openWebllm: (model: { id: string }) => Promise<Result<Engine>>;
  /** The provider of the draft, or of the settings; a local model answers through `session`. */
  provider: (draft: ModelDraft | null, session: () => ModelSession) => Promise<Result<LlmProvider>>;
}

export class ModelService implements ModelApi, InferenceApi {
  readonly #ports: ModelServicePorts;
  readonly #manager: ModelManager;
  readonly #host: EngineHost;
  #check: AbortController | null = null;

  constructor(ports: ModelServicePorts) {
    this.#ports = ports;
    this.#manager = new ModelManager(ports);
    this.#host = new EngineHost((choice) => this.#open(choice));
  }

  machine(): Promise<MachineReport> {
    return this.#ports.machine();
  }

  models(): Promise<Result<LocalModel[]>> {
    return this.#manager.models();
  }

  download(id: string, onProgress: (progress: DownloadProgress) => void): Promise<Result<LocalModel>> {
    return this.#manager.download(id, onProgress);
  }

  pause(id: string): Promise<void> {
    return this.#manager.pause(id);
  }

  async remove(id: string): Promise<Result<{ freed: number }>> {
    await this.#host.close();
    return this.#manager.remove(id);
  }

  verify(id: string): Promise<Result<{ damaged: number }>> {
    return this.#manager.verify(id);
  }

  addGguf(source: { url: string } | { file: File }, name: string): Promise<Result<LocalModel>> {
    return this.#manager.addGguf(source, name);
  }

  async check(draft: ModelDraft | null, onStage: (stage: HealthStage) => void): Promise<Result<HealthReport>> {
    this.#check?.abort();
    const stop = new AbortController();
    this.#check = stop;
    try {
      const provider = await this.#ports.provider(draft, () => this.#session());
      return provider.ok ? ok(await provider.value.healthCheck(stop.signal, onStage)) : provider;
    } catch (thrown) {
      return fail(toFailure(thrown));
    }
  }

  async stopCheck(): Promise<void> {
    this.#check?.abort();
  }

  load(choice: ModelChoice): Promise<Result<{ contextLength: number }>> {
    return this.#host.load(choice);
  }

  infer(
    ticket: number,
    choice: ModelChoice,
    request: InferenceRequest,
    onText: (delta: string) => void,
  ): Promise<Result<CompletionResponse>> {
    return this.#host.infer(ticket, choice, request, onText);
  }

  stop(ticket: number): Promise<void> {
    return this.#host.stop(ticket);
  }

  /** This very worker, as a local provider sees one. */
  #session(): ModelSession {
    return { api: this.#host, died: new Promise(() => undefined), terminate: () => void this.#host.close() };
  }

  async #open({ engine, id, contextLength }: ModelChoice): Promise<Result<Engine>> {
    if (engine === 'wllama') {
      const file = await this.#manager.gguf(id);
      if (!file.ok) return file;
      const name = (await this.#ports.rows.get(id))?.name ?? id;
      return this.#ports.openGguf({ id: name, file: file.value, contextLength });
    }
    const machine = await this.#ports.machine();
    if (machine.webgpu !== 'ok') return fail(failure('gpu_missing', 'This browser gives this page no WebGPU.'));
    const ready = await this.#manager.ready(id);
    return ready.ok ? this.#ports.openWebllm({ id }) : ready;
  }
}
