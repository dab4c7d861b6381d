/**
 * A model that runs in this browser, as the agent sees it. Its worker is opened by the first question and closed when
 * nothing was asked for a while.
 *
 *   closed --complete--> loading --> answering --> idle --(idleMs)--> closed
 *                           |            |  stop asked, not obeyed within graceMs: terminated
 *                           +--- died ---+--> closed, and the question fails with `worker_died`
 */
import type {
  Capabilities,
  CompletionOptions,
  HealthReport,
  HealthStage,
  LlmProvider,
} from '#core/agent/llm/provider.ts';
import type { CompletionResponse, Message, ToolDefinition } from '#core/agent/llm/message.ts';
import { failure, toFailure, type Failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import type { Timers } from '../http/socket.ts';
import { checkLocalModel } from './local-health.ts';
import type { InferenceRequest, ModelChoice, ModelSession } from './inference.ts';

export interface LocalModelOptions extends ModelChoice {
  /** `spawnModel`, or in model.worker itself its own door. */
  open: () => ModelSession;
  timers: Timers;
  /** Milliseconds without a question after which the worker, and with it the model's memory, is let go. */
  idleMs?: number;
  /** Milliseconds that a stopped answer has to end before its worker is terminated. */
  graceMs?: number;
  /** Milliseconds for making the weights ready. */
  loadMs?: number;
}

/** Fails with `model_missing`, `gpu_missing`, `gpu_lost`, `worker_died`, `cancelled`, `model_timeout`, `model_context_full`. */
export function createLocalModel(options: LocalModelOptions): LlmProvider {
  return new LocalModel(options);
}

class LocalModel implements LlmProvider {
  readonly name: string;
  readonly model: string;
  /** The context is the model's own once it was loaded: less than what was wished for, perhaps. */
  capabilities: Capabilities;
  readonly #options: LocalModelOptions;
  readonly #running = new Set<number>();
  #session: { session: ModelSession; died: Promise<Failure> } | null = null;
  #ticket = 0;
  #idle: unknown = null;

  constructor(options: LocalModelOptions) {
    this.#options = options;
    this.name = options.engine;
    this.model = options.id;
    this.capabilities = localCapabilities(options);
  }

  async complete(
    messages: readonly Message[],
    tools: readonly ToolDefinition[] | undefined,
    options: CompletionOptions,
  ): Promise<Result<CompletionResponse>> {
    if (tools !== undefined && tools.length > 0) {
      return fail(failure('model_schema', 'A model of this browser makes no tool calls of its own.'));
    }
    const { engine, id, contextLength, timers } = this.#options;
    const choice: ModelChoice = { engine, id, contextLength };
    const ticket = ++this.#ticket;
    const { session, died } = this.#open();
    this.#running.add(ticket);
    const ended = new Ended(timers, options.signal);
    const within = <T>(work: Promise<Result<T>>): Promise<Result<T>> =>
      Promise.race([
        work.catch((thrown: unknown) => fail(toFailure(thrown))),
        ended.promise,
        died.then((why) => fail(why)),
      ]);
    try {
      ended.after(this.#options.loadMs ?? 600_000, `The model "${id}" was not ready in time.`);
      const loaded = await within(session.api.load(choice));
      if (!loaded.ok) return loaded;
      this.capabilities = { ...this.capabilities, contextLength: loaded.value.contextLength };
      ended.after(options.timeoutMs, `The model "${id}" did not answer within ${options.timeoutMs / 1000} s.`);
      return await within(
        session.api.infer(ticket, choice, toRequest(messages, options), (text) => options.onText?.(text)),
      );
    } finally {
      this.#running.delete(ticket);
      if (ended.over) this.#stop(session, ticket);
      ended.clear();
      this.#restIfIdle();
    }
  }

  healthCheck(signal?: CompletionOptions['signal'], onStage?: (stage: HealthStage) => void): Promise<HealthReport> {
    return checkLocalModel(this, signal, onStage);
  }

  #open(): { session: ModelSession; died: Promise<Failure> } {
    if (this.#idle !== null) this.#options.timers.clear(this.#idle);
    this.#idle = null;
    if (this.#session !== null) return this.#session;
    const session = this.#options.open();
    const died = session.died.then((error) => {
      this.#close(session);
      const detail = error.message === '' ? '' : ` (${error.message})`;
      return failure('worker_died', `The model "${this.model}" stopped unexpectedly${detail}.`);
    });
    this.#session = { session, died };
    return this.#session;
  }

  /** The engine is asked first: it keeps its weights then. One that is deep in a computation hears nothing. */
  #stop(session: ModelSession, ticket: number): void {
    const { timers, graceMs = 3000 } = this.#options;
    const last = timers.set(() => this.#close(session), graceMs);
    session.api.stop(ticket).then(
      () => timers.clear(last),
      () => this.#close(session),
    );
  }

  #close(session: ModelSession): void {
    session.terminate();
    if (this.#session?.session === session) this.#session = null;
  }

  #restIfIdle(): void {
    const { timers, idleMs = 120_000 } = this.#options;
    const held = this.#session?.session;
    if (held === undefined || this.#running.size > 0) return;
    this.#idle = timers.set(() => this.#close(held), idleMs);
  }
}

/** The two ends that do not come from the model: the person's, and the clock's. */
class Ended {
  readonly promise: Promise<Result<never>>;
  over = false;
  readonly #timers: Timers;
  readonly #signal: CompletionOptions['signal'];
  readonly #onAbort = (): void => this.#end(failure('cancelled', 'The question to the model was cancelled.'));
  #resolve: (result: Result<never>) => void = () => undefined;
  #timer: unknown = null;

  constructor(timers: Timers, signal: CompletionOptions['signal']) {
    this.#timers = timers;
    this.#signal = signal;
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (signal?.aborted === true) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort);
  }

  /** Replaces the limit that ran before. */
  after(ms: number, sentence: string): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = this.#timers.set(() => this.#end(failure('model_timeout', sentence)), ms);
  }

  clear(): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #end(why: Failure): void {
    this.over = true;
    this.#resolve(fail(why));
  }
}

function toRequest(messages: readonly Message[], options: CompletionOptions): InferenceRequest {
  return {
    messages,
    schema: options.schema ?? null,
    maxTokens: options.maxTokens,
    temperature: options.temperature,
    seed: options.seed ?? null,
  };
}

/** WebLLM's libraries are compiled for 4096 tokens. Grammar binds both engines. */
const WEBLLM_CONTEXT = 4096;

function localCapabilities({ engine, contextLength }: ModelChoice): Capabilities {
  return {
    contextLength: engine === 'webllm' ? Math.min(contextLength, WEBLLM_CONTEXT) : contextLength,
    nativeTools: false,
    jsonSchema: true,
    grammar: true,
    logprobs: false,
    streaming: true,
  };
}
