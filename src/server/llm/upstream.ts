/** The model behind the broker: any LlmProvider, with the key that is good now, and nothing secret in what it says. */
import type { CompletionResponse, Message, ToolDefinition } from '#core/agent/llm/message.ts';
import type { Capabilities, CompletionOptions, LlmProvider } from '#core/agent/llm/provider.ts';
import type { Failure, FailureCode } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { KeySource } from './key-source.ts';
import { Mask } from './mask.ts';

export interface UpstreamOptions {
  keys: KeySource;
  /** Address of the model's server, to be kept out of failures. */
  baseUrl: string;
  /** The provider that sends this key; made anew for every new key. */
  provider: (key: string | null) => LlmProvider;
}

/** What the person at the workstation cannot repair in their own settings. */
const SERVER_SIDE: readonly FailureCode[] = [
  'model_unreachable',
  'model_unauthorized',
  'model_missing',
  'model_timeout',
  'model_context_full',
  'model_schema',
  'offline',
];
const REMEDY = 'Ask the administrator to look at the model server and at [agent.llm] in accession.toml.';

export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #addresses: readonly string[];
  #made: { key: string | null; provider: LlmProvider } | null = null;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    const { href, origin, host } = new URL(options.baseUrl);
    this.#addresses = [options.baseUrl, href, origin, host];
  }

  get name(): string {
    return this.#any().name;
  }

  get model(): string {
    return this.#any().model;
  }

  get capabilities(): Capabilities {
    return this.#any().capabilities;
  }

  /**
   * Like LlmProvider.complete. When the key is refused and comes from a command, the command runs once more and the
   * request is sent again, once.
   */
  async complete(
    messages: readonly Message[],
    tools: readonly ToolDefinition[] | undefined,
    options: CompletionOptions,
  ): Promise<Result<CompletionResponse>> {
    const { keys } = this.#options;
    const key = await keys.get();
    if (!key.ok) return key;
    const first = await this.#attempt(key.value, messages, tools, options);
    const refused = !first.result.ok && first.result.failure.code === 'model_unauthorized' && !first.wrote;
    if (!refused || !keys.renewable || options.signal?.aborted === true) return first.result;
    const next = await keys.after(key.value);
    return next.ok ? (await this.#attempt(next.value, messages, tools, options)).result : next;
  }

  async #attempt(
    key: string | null,
    messages: readonly Message[],
    tools: readonly ToolDefinition[] | undefined,
    options: CompletionOptions,
  ): Promise<{ result: Result<CompletionResponse>; wrote: boolean }> {
    const mask = this.#mask();
    const pieces = mask.stream();
    const { onText } = options;
    let wrote = false;
    const give = (delta: string): void => {
      if (delta === '') return;
      wrote = true;
      onText?.(delta);
    };
    const result = await this.#for(key).complete(messages, tools, {
      ...options,
      onText: (delta) => give(pieces.push(delta)),
    });
    if (!result.ok) return { result: fail(this.#explain(mask.failure(result.failure))), wrote };
    give(pieces.end());
    return { result: ok(mask.response(result.value)), wrote };
  }

  #explain(failure: Failure): Failure {
    return SERVER_SIDE.includes(failure.code) ? { ...failure, remedy: REMEDY } : failure;
  }

  #mask(): Mask {
    return new Mask(this.#options.keys.known, this.#addresses);
  }

  #for(key: string | null): LlmProvider {
    if (this.#made !== null && this.#made.key === key) return this.#made.provider;
    this.#made = { key, provider: this.#options.provider(key) };
    return this.#made.provider;
  }

  /** For what does not depend on the key. */
  #any(): LlmProvider {
    return this.#made?.provider ?? this.#for(null);
  }
}
