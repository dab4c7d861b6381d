import type { CompletionResponse, JsonSchema, Message } from '#core/agent/llm/message.ts';
import type { Result } from '#core/result.ts';

export type LocalEngine = 'webllm' | 'wllama';

/** Which model of this browser; crosses the worker boundary as it is. */
export interface ModelChoice {
  engine: LocalEngine;
  /** Id in the model manager's list. */
  id: string;
  /** Tokens, as far as the model has them. */
  contextLength: number;
}

export interface InferenceRequest {
  messages: readonly Message[];
  schema: { name: string; schema: JsonSchema } | null;
  maxTokens: number;
  temperature: number;
  seed: number | null;
}

/** The door of model.worker for whoever asks models, beside ModelApi. One answer at a time; later ones wait. */
export interface InferenceApi {
  /** Makes the model ready: seconds to a minute from this device's storage; at once when it is. Fetches nothing. */
  load(choice: ModelChoice): Promise<Result<{ contextLength: number }>>;
  /** `ticket` names this answer for `stop`. `onText` hears the answer's pieces. */
  infer(
    ticket: number,
    choice: ModelChoice,
    request: InferenceRequest,
    onText: (delta: string) => void,
  ): Promise<Result<CompletionResponse>>;
  /** Ends the answer of that ticket, running or waiting: it becomes a `cancelled` failure. */
  stop(ticket: number): Promise<void>;
}

/** A worker that answers, as its owner holds it. */
export interface ModelSession {
  api: InferenceApi;
  /** Resolves when the worker is gone without our doing. */
  died: Promise<Error>;
  terminate(): void;
}
