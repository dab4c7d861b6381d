/** The API of model.worker: the manager, the engines, and the check of a provider. */
import type { HealthReport, HealthStage, LlmProvider } from '#core/agent/llm/provider.ts';
import { failure, toFailure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { EngineHost } from './engine-host.ts';
import type { Engine } from './engine.ts';
import { ENGINES } from './engines.ts';
import { ModelManager } from './manager.ts';
import type { InferenceApi, MachineReport, ModelApi, ModelChoice, ModelDraft, ModelSession } from './model-api.ts';
import type { ManagerPorts } from './parts.ts';

export interface ModelServicePorts extends ManagerPorts {
  /** `id` is how sentences call the model. */
  openGguf: (model: { id: string; file: Blob; contextLength: number; embeds?: boolean }) => Promise<Result<Engine>>;
  openWebllm: (model: { id: string }) => Promise<Result<Engine>>;
  /** The provider of the draft, or of the settings; a local model answers through `session`. */
  provider: (draft: ModelDraft | null, session: () => ModelSession) => Promise<Result<LlmProvider>>;
}

export class ModelService extends ModelManager implements ModelApi, InferenceApi {
  readonly #ports: ModelServicePorts;
  readonly #host: EngineHost;
  #check: AbortController | null = null;

  constructor(ports: ModelServicePorts) {
    super(ports);
    this.#ports = ports;
    this.#host = new EngineHost((choice) => this.#open(choice));
  }

  machine(): Promise<MachineReport> {
    return this.#ports.machine();
  }

  override async remove(id: string): Promise<Result<{ freed: number }>> {
    await this.#host.close();
    return super.remove(id);
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

  readonly load: InferenceApi['load'] = (choice) => this.#host.load(choice);
  readonly infer: InferenceApi['infer'] = (...asked) => this.#host.infer(...asked);
  readonly embed: InferenceApi['embed'] = (...asked) => this.#host.embed(...asked);
  readonly stop: InferenceApi['stop'] = (ticket) => this.#host.stop(ticket);

  /** This very worker, as a local provider sees one. */
  #session(): ModelSession {
    return { api: this.#host, died: new Promise(() => undefined), terminate: () => void this.#host.close() };
  }

  async #open({ engine, id, contextLength, embeds }: ModelChoice): Promise<Result<Engine>> {
    if (ENGINES[engine].readsGguf) {
      const file = await this.gguf(id);
      if (!file.ok) return file;
      const name = (await this.#ports.rows.get(id))?.name ?? id;
      return this.#ports.openGguf({ id: name, file: file.value, contextLength, ...(embeds === true && { embeds }) });
    }
    const machine = await this.#ports.machine();
    if (machine.webgpu !== 'ok') return fail(failure('gpu_missing', 'This browser gives this page no WebGPU.'));
    const ready = await this.ready(id);
    return ready.ok ? this.#ports.openWebllm({ id }) : ready;
  }
}
