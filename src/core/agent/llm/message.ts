/** The specification's types, section 1, in its words. */

export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

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
