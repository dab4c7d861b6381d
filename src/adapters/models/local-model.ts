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
  add('tools', 'Models in this browser make no calls of their own; what they would call is an answer of a schema.', 0);
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

/** Fails with `model_missing`, `gpu_missing`, `gpu_lost`, `worker_died`, `cancelled`, `model_timeout`, `model_context_full`. */
export function createLocalModel({
  engine,
  id,
  contextLength,
  open,
  timers,
  title = id,
  idleMs = 120_000,
  graceMs = 3000,
  loadMs = 600_000,
}: LocalModelOptions): LlmProvider {
  const choice: ModelChoice = { engine, id, contextLength };
  /** Grammar binds every engine. The context is the model's own once it was loaded: less than was wished for, perhaps. */
  let capabilities: Capabilities = {
    contextLength: Math.min(contextLength, ENGINES[engine].mostContext ?? contextLength),
    nativeTools: false,
    jsonSchema: true,
    grammar: true,
    logprobs: false,
    streaming: true,
  };
  const running = new Set<number>();
  let current: Held | null = null;
  let tickets = 0;
  let idle: unknown = null;

  async function inTurn<T>(
    signal: CancelSignal | undefined,
    work: (turn: Turn) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const ticket = ++tickets;
    const held = hold();
    running.add(ticket);
    const ended = endOf(timers, signal);
    const within: Turn['within'] = (answer) =>
      Promise.race([
        answer.catch((thrown: unknown) => fail(toFailure(thrown))),
        ended.promise,
        held.over.then((why) => fail(why)),
      ]);
    try {
      return await work({ held, ticket, ended, within });
    } finally {
      running.delete(ticket);
      if (ended.isOver()) stop(held, ticket);
      ended.clear();
      restIfIdle();
    }
  }

  async function load({ held, ended, within }: Turn): Promise<Result<null>> {
    ended.after(loadMs, `The model "${title}" could not be loaded within ${loadMs / 1000} s.`);
    const loaded = await within(held.session.api.load(choice));
    if (loaded.ok) {
      capabilities = { ...capabilities, contextLength: loaded.value.contextLength };
      return ok(null);
    }
    // Loading cannot be stopped: what took too long would go on for ever.
    if (loaded.failure.code === 'model_timeout') letGo(held, loaded.failure);
    return loaded;
  }

  function stayAwake(): void {
    if (idle !== null) timers.clear(idle);
    idle = null;
  }

  function hold(): Held {
    stayAwake();
    if (current !== null) return current;
    const session = open();
    const { promise: over, resolve: end } = Promise.withResolvers<Failure>();
    const held: Held = { session, over, end };
    void session.died.then((error) => {
      const detail = error.message === '' ? '' : ` (${error.message})`;
      letGo(held, failure('worker_died', `The model "${title}" stopped unexpectedly${detail}.`));
    });
    current = held;
    return held;
  }

  /** The engine is asked first: it keeps its weights then. One that is deep in a computation does not react. */
  function stop(held: Held, ticket: number): void {
    const deaf = failure('worker_died', `The model "${title}" did not stop when asked and was ended.`);
    const last = timers.set(() => letGo(held, deaf), graceMs);
    held.session.api.stop(ticket).then(
      () => timers.clear(last),
      () => letGo(held, deaf),
    );
  }

  /** Questions that still wait for this worker fail with `why`. */
  function letGo(held: Held, why: Failure): void {
    held.session.terminate();
    held.end(why);
    if (current === held) current = null;
  }

  function restIfIdle(): void {
    const held = current;
    if (held === null || running.size > 0) return;
    idle = timers.set(() => letGo(held, failure('worker_died', `The model "${title}" was let go.`)), idleMs);
  }

  const provider: LlmProvider = {
    name: engine,
    model: id,
    get capabilities() {
      return capabilities;
    },
    async complete(messages, tools, options) {
      if (tools !== undefined && tools.length > 0)
        return fail(failure('model_schema', 'A model of this browser makes no tool calls of its own.'));
      return inTurn(options.signal, async (turn) => {
        const loaded = await load(turn);
        if (!loaded.ok) return loaded;
        const { ended, held, ticket } = turn;
        ended.after(options.timeoutMs, `The model "${title}" did not answer within ${options.timeoutMs / 1000} s.`);
        const request = toRequest(messages, options);
        return turn.within(held.session.api.infer(ticket, choice, request, (text) => options.onText?.(text)));
      });
    },
    prepare: (signal) => inTurn(signal, load),
    healthCheck: (signal, onStage) => checkLocalModel(provider, title, signal, onStage),
    close() {
      stayAwake();
      if (current !== null) letGo(current, failure('cancelled', `The model "${title}" is not asked any more.`));
    },
  };
  return provider;
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

type Ended = ReturnType<typeof endOf>;

/** The two ends of a question that do not come from the model: the person's, and the clock's. */
function endOf(timers: Timers, signal: CancelSignal | undefined) {
  const { promise, resolve } = Promise.withResolvers<Result<never>>();
  let over = false;
  let timer: unknown = null;
  const end = (why: Failure): void => {
    over = true;
    resolve(fail(why));
  };
  const onAbort = (): void => end(failure('cancelled', 'The question to the model was cancelled.'));
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort);
  return {
    promise,
    isOver: () => over,
    /** Replaces the limit that ran before. */
    after(ms: number, sentence: string): void {
      if (timer !== null) timers.clear(timer);
      timer = timers.set(() => end(failure('model_timeout', sentence)), ms);
    },
    clear(): void {
      if (timer !== null) timers.clear(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
