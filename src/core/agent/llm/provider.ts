import type { Failure } from '../../errors.ts';
import type { CancelSignal } from '../../cancel.ts';
import type { Result } from '../../result.ts';

/** The specification's types, section 1, in its words. */

type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

export interface ToolCall {
  id: string;
  name: string;
  /** A JSON value; an object unless the model erred. Providers parse what they get as a string. */
  arguments: unknown;
}

export interface Message {
  role: MessageRole;
  content: string;
  tool_calls?: ToolCall[];
  /** On a `tool` message: the call that it answers. */
  tool_call_id?: string;
}

/** JSON Schema, draft 2020-12 as far as grammars know it: objects, arrays, enums, strings, numbers, booleans. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDefinition {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export type FinishReason = 'stop' | 'tool_calls' | 'max_tokens';

export interface Usage {
  /** null where the provider does not say. */
  tokens_in: number | null;
  tokens_out: number | null;
  /** From sending to the last byte. */
  milliseconds: number;
}

export interface CompletionResponse {
  message: Message;
  finish_reason: FinishReason;
  usage: Usage;
  /**
   * Natural log-probability by token of the first token of the answer, where the provider offers it; of its first
   * value where the answer is JSON of a schema (`{"choice":"B"` has `B` and its rivals, bare letters).
   */
  first_token_logprobs?: Readonly<Record<string, number>>;
}

export interface Capabilities {
  /** Tokens of prompt and answer together. */
  contextLength: number;
  /** The wire has tool calls of its own and this model can use them. */
  nativeTools: boolean;
  /** An answer can be bound to a JSON Schema. */
  jsonSchema: boolean;
  /** The binding is by grammar: an answer that is complete always fits. */
  grammar: boolean;
  logprobs: boolean;
  streaming: boolean;
}

export interface CompletionOptions {
  /** The answer must be JSON of this schema. Never together with `tools`. */
  schema?: { name: string; schema: JsonSchema } | undefined;
  /** Tokens of the answer at most. */
  maxTokens: number;
  temperature: number;
  /** Same prompt, same seed, same answer, where the provider can. */
  seed?: number | undefined;
  /** Milliseconds for the whole call, the wait for headers included. */
  timeoutMs: number;
  signal?: CancelSignal | undefined;
  /** Pieces of the answer's text as they come, never of its thinking. */
  onText?: (delta: string) => void;
}

/**
 * One model behind one wire. Adapters: src/adapters/llm, one a file. Conformance: tests/contract/llm-provider.ts.
 *
 * `complete` never throws: what goes wrong is a failure of the `model_*` codes (core/errors.ts), `cancelled`,
 * `rate_limited` (with retryAfterMs) or `offline`. An answer that was cut (stream died, `max_tokens`) is never
 * repaired: the first is a `model_cut` failure, the second says so in `finish_reason`.
 */
export interface LlmProvider {
  /** `webllm`, `wllama`, `ollama`, `openai`, `broker`, `recorded`. */
  readonly name: string;
  /** Of a `broker` that has been opened: the provider that the server asks (`ollama`, `openai`). */
  readonly behind?: string | undefined;
  readonly model: string;
  readonly capabilities: Capabilities;
  complete(
    messages: readonly Message[],
    tools: readonly ToolDefinition[] | undefined,
    options: CompletionOptions,
  ): Promise<Result<CompletionResponse>>;
  /**
   * Makes ready what takes long and is no answer (weights), so that no call's limit covers it; at once when it is. Not
   * there where nothing is to be made ready.
   */
  prepare?(signal?: CancelSignal): Promise<Result<null>>;
  /** Lets go of what it holds (a model's memory), now; what is under way ends as `cancelled`. */
  close?(): void;
  /** Runs the stages in order and stops at the first that fails; `onStage` gets each as it ends. */
  healthCheck(signal?: CancelSignal, onStage?: (stage: HealthStage) => void): Promise<HealthReport>;
}

export const HEALTH_STAGES = ['reachable', 'permitted', 'model', 'schema', 'speed'] as const;
/**
 *   reachable  something answers there
 *   permitted  the browser may read it (CORS, local-network permission) and the key is right
 *   model      the model is there
 *   schema     an answer bound to a schema fits it
 *   speed      milliseconds a token
 */
export type HealthStageName = (typeof HEALTH_STAGES)[number];

export interface HealthStage {
  stage: HealthStageName;
  ok: boolean;
  /** One sentence: what was found. */
  said: string;
  failure: Failure | null;
  milliseconds: number;
}

export interface HealthReport {
  ok: boolean;
  stages: HealthStage[];
  /** What this model turned out to be able to do. */
  capabilities: Capabilities | null;
  ms_per_token: number | null;
  /** Names of the models that are there, for the list to choose from. */
  models: string[];
}
