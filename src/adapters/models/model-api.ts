import type { CompletionResponse, JsonSchema, Message, HealthReport, HealthStage } from '#core/agent/llm/provider.ts';
import type { LocalEngine, ProviderId } from '#core/agent/llm/providers.ts';
import type { Result } from '#core/result.ts';

/** Which model of this browser; crosses the worker boundary as it is. */
export interface ModelChoice {
  engine: LocalEngine;
  /** Id in the model manager's list. */
  id: string;
  /** Tokens, as far as the model has them. */
  contextLength: number;
  /** It is loaded for vectors of texts, and answers nothing else then. */
  embeds?: true;
}

export interface InferenceRequest {
  messages: readonly Message[];
  schema: { name: string; schema: JsonSchema } | null;
  maxTokens: number;
  temperature: number;
  seed: number | null;
}

/** The second part of model.worker's API, for whoever asks models. One answer at a time; later ones wait. */
export interface InferenceApi {
  /** Makes the model ready: seconds to a minute from this device's storage; at once when it is. Fetches nothing. */
  load(choice: ModelChoice): Promise<Result<{ contextLength: number }>>;
  /** `ticket` names this answer for `stop`. `onText` gets the answer's pieces. */
  infer(
    ticket: number,
    choice: ModelChoice,
    request: InferenceRequest,
    onText: (delta: string) => void,
  ): Promise<Result<CompletionResponse>>;
  /** The vector of one text, as the model has it. Waits for its turn. */
  embed(choice: ModelChoice, text: string): Promise<Result<number[]>>;
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

/** model.worker: models that run in this browser. Also where any provider is built and tested from the settings page. */
export interface ModelApi {
  machine(): Promise<MachineReport>;
  models(): Promise<Result<LocalModel[]>>;
  /**
   * Fetches what is missing of a model; ends when it is complete, paused or failed. What is there stays on a pause.
   * Checks the space first.
   */
  download(id: string, onProgress: (progress: DownloadProgress) => void): Promise<Result<LocalModel>>;
  pause(id: string): Promise<void>;
  /** Deletes weights, complete or not. */
  remove(id: string): Promise<Result<{ freed: number }>>;
  /** Hashes each stored part again; what differs is removed, to be fetched by the next download. */
  verify(id: string): Promise<Result<{ damaged: number }>>;
  /** A GGUF by URL, or from a file of this device (copied in). */
  addGguf(source: { url: string } | { file: File }, name: string): Promise<Result<LocalModel>>;
  /** The staged check of what is in the settings now, or of `draft`. `onStage` gets each stage as it ends. */
  check(draft: ModelDraft | null, onStage: (stage: HealthStage) => void): Promise<Result<HealthReport>>;
  /** Stops a running check. */
  stopCheck(): Promise<void>;
}

export interface ModelDraft {
  provider: ProviderId;
  base_url: string;
  model: string;
  context_length: number;
  timeout_secs: number;
  /** null: the stored key. */
  key: string | null;
}

export interface MachineReport {
  webgpu: 'ok' | 'no_adapter' | 'absent';
  /** The adapter's own words, `swiftshader` included. */
  adapter: string | null;
  /** Software adapters work and are far too slow to be of use. */
  software: boolean;
  shader_f16: boolean;
  /** Bytes. */
  max_buffer: number | null;
  threads: number;
  /** wllama runs on several threads only where the page is cross-origin isolated. */
  isolated: boolean;
  /** Bytes, as the browser rounds it (at most 8 GiB is said); null where it does not say. */
  memory: number | null;
  free_storage: number | null;
}

export interface LocalModel {
  id: string;
  name: string;
  engine: LocalEngine;
  /** Bytes. */
  download_bytes: number;
  memory_bytes: number;
  context_length: number;
  licence: string;
  licence_url: string | null;
  needs_f16: boolean;
  /** Why this machine cannot run it: one sentence with the remedy; null when it can. */
  unfit: string | null;
  /** The same model for machines that this one does not fit. */
  twin_id: string | null;
  state: 'absent' | 'partial' | 'ready';
  have_bytes: number;
  /** Added by the person. */
  own: boolean;
}

export interface DownloadProgress {
  bytes: number;
  total: number;
  /** Seconds; null while it is not known. */
  seconds_left: number | null;
  bytes_per_second: number;
  /** The part being fetched or checked. */
  part: string;
}
