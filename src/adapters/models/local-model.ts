/**
 * A model that runs in this browser, as the agent sees it. Its worker is opened by the first question and closed when
 * nothing was asked for a while.
 *
 *   closed --prepare, complete--> loading --> answering --> idle --(idleMs)--> closed
 *                                    |            |  stop asked, not obeyed within graceMs: terminated
 *                                    +--- died ---+--> closed, and the question fails with `worker_died`
 */
import type {
  CompletionResponse,
  Message,
  ToolDefinition,
  JsonSchema,
  Capabilities,
  CompletionOptions,
  HealthReport,
  HealthStage,
  LlmProvider,
  HealthStageName,
} from '#core/agent/llm/provider.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failure, type Failure, toFailure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { Timers } from '../http/socket.ts';
import { ENGINES } from './engines.ts';
import type { InferenceRequest, ModelChoice, ModelSession } from './model-api.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import { parseJson } from '../llm/json.ts';

const CHOICES = ['A', 'B', 'none'];
/** The smallest answer that shows whether a schema holds. */
const PROBE: { name: string; schema: JsonSchema } = {
  name: 'probe',
  schema: {
    type: 'object',
    properties: { choice: { enum: CHOICES } },
    required: ['choice'],
    additionalProperties: false,
  },
};

/** `title`: how the model is called in a sentence. One short bound answer; nothing is reached over a network, so those stages pass by what they are. */
async function checkLocalModel(
  provider: LlmProvider,
  title: string,
  signal?: CancelSignal,
  onStage?: (stage: HealthStage) => void,
): Promise<HealthReport> {
  const stages: HealthStage[] = [];
  const add = (stage: HealthStageName, said: string, milliseconds: number, failure: Failure | null = null): void => {
    const entry: HealthStage = { stage, ok: failure === null, said, failure, milliseconds };
    stages.push(entry);
    onStage?.(entry);
  };
  const report = (msPerToken: number | null): HealthReport => {
    const ok = stages.every((stage) => stage.ok);
    return {
      ok,
      stages,
      capabilities: ok ? provider.capabilities : null,
      ms_per_token: msPerToken,
      models: [provider.model],
    };
  };

  add('reachable', 'The model runs in this browser.', 0);
  add('permitted', 'No key and no permission is needed.', 0);
  const answer = await provider.complete(
    [{ role: 'user', content: 'Which letter comes first in the alphabet? Answer in JSON.' }],
    undefined,
    { schema: PROBE, maxTokens: 32, temperature: 0, timeoutMs: 120_000, signal },
  );
  if (!answer.ok) {
    add('model', answer.failure.message, 0, answer.failure);
    return report(null);
  }
  const { message, usage } = answer.value;
  add('model', `The model "${title}" is loaded.`, 0);
  if (!fits(answer.value)) {
    const words = `"${title}" was asked for JSON of a schema and answered something else.`;
    add('schema', words, usage.milliseconds, failure('model_schema', words));
    return report(null);
  }
  add('schema', `An answer bound to a schema fits it: ${message.content}`, usage.milliseconds);
  const each = usage.tokens_out === null || usage.tokens_out === 0 ? null : usage.milliseconds / usage.tokens_out;
  add('speed', each === null ? 'The model answers.' : `${each.toFixed(0)} ms a token.`, usage.milliseconds);
  return report(each);
}

function fits({ message, finish_reason }: CompletionResponse): boolean {
  const value = parseJson(message.content);
  if (finish_reason !== 'stop' || !isRecord(value)) return false;
  const { choice, ...more } = value;
  return typeof choice === 'string' && CHOICES.includes(choice) && Object.keys(more).length === 0;
}

export interface LocalModelOptions extends ModelChoice {
  /** `spawnModel`; in model.worker, the worker itself. */
  open: () => ModelSession;
  timers: Timers;
  /** How the model is called in a sentence; its id where that is not known. */
  title?: string | undefined;
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

/** A worker that is open. */
interface Held {
  session: ModelSession;
  /** Why it is gone: the failure of every question that it had. */
  over: Promise<Failure>;
  end: (why: Failure) => void;
}

/** One question to a worker. */
interface Turn {
  held: Held;
  ticket: number;
  ended: Ended;
  /** The work's result, or why it is not waited for any more. */
  within<T>(work: Promise<Result<T>>): Promise<Result<T>>;
}

class LocalModel implements LlmProvider {
  readonly name: string;
  readonly model: string;
  /** The context is the model's own once it was loaded: less than what was wished for, perhaps. */
  capabilities: Capabilities;
  readonly #options: LocalModelOptions;
  readonly #title: string;
  readonly #running = new Set<number>();
  #held: Held | null = null;
  #ticket = 0;
  #idle: unknown = null;

  constructor(options: LocalModelOptions) {
    this.#options = options;
    this.name = options.engine;
    this.model = options.id;
    this.#title = options.title ?? options.id;
    this.capabilities = localCapabilities(options);
  }

  async complete(
    messages: readonly Message[],
    tools: readonly ToolDefinition[] | undefined,
    options: CompletionOptions,
  ): Promise<Result<CompletionResponse>> {
    if (tools !== undefined && tools.length > 0)
      return fail(failure('model_schema', 'A model of this browser makes no tool calls of its own.'));
    return this.#inTurn(options.signal, async (turn) => {
      const loaded = await this.#load(turn);
      if (!loaded.ok) return loaded;
      const { ended, held, ticket } = turn;
      const limit = `The model "${this.#title}" did not answer within ${options.timeoutMs / 1000} s.`;
      ended.after(options.timeoutMs, limit);
      const request = toRequest(messages, options);
      return turn.within(held.session.api.infer(ticket, this.#choice(), request, (text) => options.onText?.(text)));
    });
  }

  async prepare(signal?: CancelSignal): Promise<Result<null>> {
    const loaded = await this.#inTurn(signal, (turn) => this.#load(turn));
    return loaded.ok ? ok(null) : loaded;
  }

  healthCheck(signal?: CancelSignal, onStage?: (stage: HealthStage) => void): Promise<HealthReport> {
    return checkLocalModel(this, this.#title, signal, onStage);
  }

  close(): void {
    if (this.#idle !== null) this.#options.timers.clear(this.#idle);
    this.#idle = null;
    if (this.#held === null) return;
    this.#close(this.#held, failure('cancelled', `The model "${this.#title}" is not asked any more.`));
  }

  #choice(): ModelChoice {
    const { engine, id, contextLength } = this.#options;
    return { engine, id, contextLength };
  }

  async #inTurn<T>(signal: CancelSignal | undefined, work: (turn: Turn) => Promise<Result<T>>): Promise<Result<T>> {
    const ticket = ++this.#ticket;
    const held = this.#open();
    this.#running.add(ticket);
    const ended = new Ended(this.#options.timers, signal);
    const within: Turn['within'] = (answer) =>
      Promise.race([
        answer.catch((thrown: unknown) => fail(toFailure(thrown))),
        ended.promise,
        held.over.then((why) => fail(why)),
      ]);
    try {
      return await work({ held, ticket, ended, within });
    } finally {
      this.#running.delete(ticket);
      if (ended.over) this.#stop(held, ticket);
      ended.clear();
      this.#restIfIdle();
    }
  }

  async #load({ held, ended, within }: Turn): Promise<Result<null>> {
    const { loadMs = 600_000 } = this.#options;
    ended.after(loadMs, `The model "${this.#title}" could not be loaded within ${loadMs / 1000} s.`);
    const loaded = await within(held.session.api.load(this.#choice()));
    if (loaded.ok) {
      this.capabilities = { ...this.capabilities, contextLength: loaded.value.contextLength };
      return ok(null);
    }
    // Loading cannot be stopped: what took too long would go on for ever.
    if (loaded.failure.code === 'model_timeout') this.#close(held, loaded.failure);
    return loaded;
  }

  #open(): Held {
    if (this.#idle !== null) this.#options.timers.clear(this.#idle);
    this.#idle = null;
    if (this.#held !== null) return this.#held;
    const session = this.#options.open();
    let end: Held['end'] = () => undefined;
    const over = new Promise<Failure>((resolve) => {
      end = resolve;
    });
    const held: Held = { session, over, end };
    void session.died.then((error) => {
      const detail = error.message === '' ? '' : ` (${error.message})`;
      this.#close(held, failure('worker_died', `The model "${this.#title}" stopped unexpectedly${detail}.`));
    });
    this.#held = held;
    return held;
  }

  /** The engine is asked first: it keeps its weights then. One that is deep in a computation does not react. */
  #stop(held: Held, ticket: number): void {
    const { timers, graceMs = 3000 } = this.#options;
    const deaf = failure('worker_died', `The model "${this.#title}" did not stop when asked and was ended.`);
    const last = timers.set(() => this.#close(held, deaf), graceMs);
    held.session.api.stop(ticket).then(
      () => timers.clear(last),
      () => this.#close(held, deaf),
    );
  }

  /** Questions that still wait for this worker fail with `why`. */
  #close(held: Held, why: Failure): void {
    held.session.terminate();
    held.end(why);
    if (this.#held === held) this.#held = null;
  }

  #restIfIdle(): void {
    const { timers, idleMs = 120_000 } = this.#options;
    const held = this.#held;
    if (held === null || this.#running.size > 0) return;
    const idle = failure('worker_died', `The model "${this.#title}" was let go.`);
    this.#idle = timers.set(() => this.#close(held, idle), idleMs);
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

/** Grammar binds every engine. */
function localCapabilities({ engine, contextLength }: ModelChoice): Capabilities {
  return {
    contextLength: Math.min(contextLength, ENGINES[engine].mostContext ?? contextLength),
    nativeTools: false,
    jsonSchema: true,
    grammar: true,
    logprobs: false,
    streaming: true,
  };
}

/** The two ends of a question that do not come from the model: the person's, and the clock's. */
class Ended {
  readonly promise: Promise<Result<never>>;
  over = false;
  readonly #timers: Timers;
  readonly #signal: CancelSignal | undefined;
  readonly #onAbort = (): void => this.#end(failure('cancelled', 'The question to the model was cancelled.'));
  #resolve: (result: Result<never>) => void = () => undefined;
  #timer: unknown = null;

  constructor(timers: Timers, signal: CancelSignal | undefined) {
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
