import type { Failure } from '../../errors.ts';
import type { CancelSignal } from '../../cancel.ts';
import type { InferOutput } from 'valibot';
import type { Result } from '../../result.ts';
import type { CapabilitiesSchema, CompletionResponseSchema, MessageSchema, ToolCallSchema } from './wire.ts';

/** The specification's types, section 1, in its words. */
export type ToolCall = InferOutput<typeof ToolCallSchema>;
export type Message = InferOutput<typeof MessageSchema>;
export type CompletionResponse = InferOutput<typeof CompletionResponseSchema>;
export type FinishReason = CompletionResponse['finish_reason'];
export type Capabilities = InferOutput<typeof CapabilitiesSchema>;

/** JSON Schema, draft 2020-12 as far as grammars know it: objects, arrays, enums, strings, numbers, booleans. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDefinition {
  name: string;
  description: string;
  parameters: JsonSchema;
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
  /** A probe found out whether it calls tools, and `capabilities.nativeTools` is that; absent: nobody tried. */
  readonly proven?: boolean | undefined;
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

export const HEALTH_STAGES = ['reachable', 'permitted', 'model', 'schema', 'speed', 'tools'] as const;
/**
 *   reachable  something answers there
 *   permitted  the browser may read it (CORS, local-network permission) and the key is right
 *   model      the model is there
 *   schema     an answer bound to a schema fits it
 *   speed      milliseconds a token
 *   tools      whether it calls a tool that it is offered; either is right
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
  /** Whether it called the tool that it was offered; absent where that was not tried or could not be told. */
  calls_tools?: boolean;
  /** Names of the models that are there, for the list to choose from. */
  models: string[];
}
