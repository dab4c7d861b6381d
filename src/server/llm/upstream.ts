/** The model behind the broker: any LlmProvider, with the key that is good now, and nothing secret in what it says. */
import type {
  CompletionResponse,
  Message,
  ToolDefinition,
  Capabilities,
  CompletionOptions,
  HealthStage,
  LlmProvider,
} from '#core/agent/llm/provider.ts';
import { failure, type Failure, type FailureCode } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { KeySource } from './key-source.ts';
import { Mask } from './mask.ts';
import { askKey, withRenewedKey, type AskKey } from './renewed-key.ts';

export interface UpstreamOptions {
  keys: KeySource;
  /** Address of the model's server, to be kept out of failures. */
  baseUrl: string;
  provider: (key: AskKey) => LlmProvider;
  /** Milliseconds for a look at the model; 5 s. */
  lookMs?: number;
}

/** What the person at the workstation cannot repair in their own settings. */
const SERVER_SIDE: readonly FailureCode[] = [
  'model_unreachable',
  'model_unauthorized',
  'model_missing',
  'model_timeout',
  'model_context_full',
  'model_schema',
  'model_error',
  'offline',
];
const REMEDY = 'Ask the administrator to look at the model server and at [agent.llm] in accession.toml.';
const LOOK_MS = 5_000;

export class Upstream {
  readonly #keys: KeySource;
  readonly #provider: LlmProvider;
  readonly #addresses: readonly string[];
  readonly #lookMs: number;
  /** The model was found once, and what it can do is known. */
  #seen = false;
  #looking: Promise<Failure | null> | null = null;

  constructor({ keys, baseUrl, provider, lookMs = LOOK_MS }: UpstreamOptions) {
    this.#keys = keys;
    this.#lookMs = lookMs;
    this.#provider = withRenewedKey(keys, provider(askKey(keys)));
    const { href, origin, host } = new URL(baseUrl);
    this.#addresses = [baseUrl, href, href.replace(/\/+$/, ''), origin, host];
  }

  get model(): string {
    return this.#provider.model;
  }

  get capabilities(): Capabilities {
    return this.#provider.capabilities;
  }

  /** Asks the model's server, until it has answered once, what the model can do. Null, or why it cannot be used now. */
  look(): Promise<Failure | null> {
    if (this.#seen) return Promise.resolve(null);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Like LlmProvider.complete, with nothing secret in it. */
  async complete(
    messages: readonly Message[],
    tools: readonly ToolDefinition[] | undefined,
    options: CompletionOptions,
  ): Promise<Result<CompletionResponse>> {
    const key = await this.#keys.get();
    if (!key.ok) return key;
    // Made when the answer begins: the key may be renewed before.
    let pieces: ReturnType<Mask['stream']> | null = null;
    const give = (delta: string): void => {
      if (delta !== '') options.onText?.(delta);
    };
    const result = await this.#provider.complete(messages, tools, {
      ...options,
      onText: (delta) => {
        pieces ??= this.#mask().stream();
        give(pieces.push(delta));
      },
    });
    if (!result.ok) return fail(this.#explain(result.failure));
    give(endOf(pieces));
    return ok(this.#mask().response(result.value));
  }

  async #look(): Promise<Failure | null> {
    const key = await this.#keys.get();
    if (!key.ok) return key.failure;
    let wrong = await this.#find();
    if (wrong?.code === 'model_unauthorized' && this.#keys.renewable) {
      const next = await this.#keys.after(key.value);
      if (!next.ok) return next.failure;
      wrong = await this.#find();
    }
    this.#seen = wrong === null;
    return wrong === null ? null : this.#explain(wrong);
  }

  /** The provider's own check, stopped as soon as it has found the model: no question is asked, no token spent. */
  async #find(): Promise<Failure | null> {
    const enough = new AbortController();
    const late = AbortSignal.timeout(this.#lookMs);
    const stages: HealthStage[] = [];
    await this.#provider.healthCheck(AbortSignal.any([enough.signal, late]), (stage) => {
      stages.push(stage);
      if (stage.stage === 'model') enough.abort();
    });
    if (enough.signal.aborted) return stages.find((stage) => stage.stage === 'model')?.failure ?? null;
    if (late.aborted)
      return failure('model_timeout', `The model server did not answer within ${this.#lookMs / 1000} s.`);
    return stages.find((stage) => stage.failure !== null)?.failure ?? null;
  }

  #explain(wrong: Failure): Failure {
    const hidden = this.#mask().failure(wrong);
    return SERVER_SIDE.includes(hidden.code) ? { ...hidden, remedy: REMEDY } : hidden;
  }

  #mask(): Mask {
    return new Mask(this.#keys.known, this.#addresses);
  }
}

function endOf(pieces: ReturnType<Mask['stream']> | null): string {
  return pieces?.end() ?? '';
}
