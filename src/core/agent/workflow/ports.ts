import type { Clock } from '../../ports.ts';
import type { Result } from '../../result.ts';
import type { CancelSignal } from '../../cancel.ts';
import type { LlmProvider } from '../llm/provider.ts';
import type { Workflow, Strategy } from './workflow.ts';

/** Bounds of one workflow; the first that is reached stops it, and it goes to a person with what is known. */
export interface WorkflowLimits {
  /** Model calls; 20 by the specification. */
  iterations: number;
  tokens: number | null;
  /** US dollars. */
  cost: number | null;
  /** Milliseconds of model and tool calls. */
  wallMs: number | null;
  /** Answers that could not be read and were asked for again; 2. */
  repairs: number;
}

export const DEFAULT_LIMITS: WorkflowLimits = {
  iterations: 20,
  tokens: 60_000,
  cost: null,
  wallMs: 600_000,
  repairs: 2,
};

export interface ExecutorOptions {
  temperature: number;
  /** Milliseconds for one model call. */
  timeoutMs: number;
  limits: WorkflowLimits;
  /** US dollars for a million tokens. */
  price: { in: number; out: number };
}

/** What the executor needs from the world. */
export interface ExecutorPorts<Context> {
  provider: LlmProvider;
  context: Context;
  clock: Clock;
  /** Lower-case hex SHA-256 of a text (prompts in the journal and the cassette's key). */
  sha256(text: string): Promise<string>;
  /**
   * Waits; resolves early when cancelled. Runs beside every model call as the guard over its time: a test's wait must
   * not move the clock before the call had its turn (tests/fixtures/virtual-time.ts).
   */
  wait(milliseconds: number, signal: CancelSignal | undefined): Promise<void>;
  /** Persists the workflow. Called before and after every model and tool call; nothing is acted on before it resolves. */
  save(workflow: Workflow): Promise<void>;
  /**
   * Whether one more model call may be begun now, for bounds that several workflows share; a workflow that may not stays as
   * it is and can be run again. Without it: yes.
   */
  mayAsk?(call: {
    /** Of the prompt, estimated. */
    tokens: number;
  }): boolean;
  /** `Executing`: does what was decided, once for a workflow's id. */
  perform(action: unknown, workflow: Workflow): Promise<void>;
  /** For tools with a `network`; without it none of them reaches anything. */
  fetchText?(url: string, signal: CancelSignal | undefined): Promise<Result<string>>;
  signal?: CancelSignal;
  onText?: (delta: string) => void;
}

/** The model that a batch's doubts are put to, as the settings are now. */
export interface AgentModel {
  /** `ollama`, ... */
  provider: string;
  model: string;
  recorded: boolean;
  /** It runs on a machine of somebody else's: two questions at a time may be put. */
  hosted: boolean;
  strategy: Strategy | 'auto';
  /** Differs when anything differs that an answer could depend on. */
  fingerprint: string;
  options: ExecutorOptions;
  /** The same doubt is put in the same words each time. */
  seed: number | null;
  /** The provider, ready to be asked: a model of this browser is loaded. */
  open(signal?: CancelSignal): Promise<Result<LlmProvider>>;
}
