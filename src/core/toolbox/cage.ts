/**
 * The port of the cage: where code that a model wrote, or that data steer, runs and can reach nothing. One engine (R, SQL, ...)
 * a runtime; to stop is to kill, and the next call has a new one. Adapters: `adapters/toolbox`.
 */
import type { CancelSignal } from '../cancel.ts';
import type { Settings } from '../config.ts';
import type { Result } from '../result.ts';

/** What computes. `none` is our own code, which needs no cage. */
export const RUNTIMES = ['r', 'sql', 'python', 'cas', 'spice', 'mine', 'draw', 'none'] as const;
export type Runtime = (typeof RUNTIMES)[number];

/** What one call may take. */
export interface ToolBounds {
  /** Milliseconds, without the start of the engine. */
  timeMs: number;
  /** Of the engine's process or worker, engine included. */
  memoryMb: number;
  /** Of the result as a model reads it; all of it goes to the journal. */
  resultBytes: number;
  inputBytes: number;
}

export const USUAL_BOUNDS: ToolBounds = {
  timeMs: 20_000,
  memoryMb: 512,
  resultBytes: 256 * 1024,
  inputBytes: 10 * 1024 * 1024,
};

/** What a call may take is the tool's own, unless who calls says otherwise. */
export interface BoundsWish {
  /** In the place of the tool's own: a person's, for one call. */
  bounds?: Partial<ToolBounds>;
  /** Of the settings: they raise what is less. */
  raised?: Partial<ToolBounds>;
  /** Of a step: it lowers what is more. */
  lowered?: Partial<ToolBounds>;
}

/** Bounds as settings say them: `[toolbox.limits]` of accession.toml, or a browser's. */
export interface SaidLimits {
  seconds?: number | undefined;
  memory_mb?: number | undefined;
  result_kb?: number | undefined;
  input_mb?: number | undefined;
}

/** What the settings raise. What they do not say stays each tool's own. */
export function raisedBy({ seconds, memory_mb, result_kb, input_mb }: SaidLimits): Partial<ToolBounds> {
  return {
    ...(seconds === undefined ? {} : { timeMs: seconds * 1000 }),
    ...(memory_mb === undefined ? {} : { memoryMb: memory_mb }),
    ...(result_kb === undefined ? {} : { resultBytes: result_kb * 1024 }),
    ...(input_mb === undefined ? {} : { inputBytes: input_mb * 1_048_576 }),
  };
}

/** What the settings of a browser raise. */
export const raisedIn = (settings: Settings): Partial<ToolBounds> =>
  raisedBy({
    ...{ seconds: settings.toolbox_seconds, memory_mb: settings.toolbox_memory_mb },
    ...{ result_kb: settings.toolbox_result_kb, input_mb: settings.toolbox_input_mb },
  });

export function boundsOf(own: ToolBounds, { bounds, raised = {}, lowered = {} }: BoundsWish): ToolBounds {
  const said = { ...own, ...bounds };
  const of = (key: keyof ToolBounds): number =>
    Math.min(Math.max(said[key], raised[key] ?? 0), lowered[key] ?? Number.POSITIVE_INFINITY);
  return {
    ...{ timeMs: of('timeMs'), memoryMb: of('memoryMb'), resultBytes: of('resultBytes'), inputBytes: of('inputBytes') },
  };
}

/** Of the whole result, before it is cut for the model, bytes. */
export const MOST_RESULT = 32 * 1024 * 1024;

/** Milliseconds that an engine has to start. Python takes WebKit 16 s of a processor that others may want, too. */
export const BOOT_MS: Readonly<Record<Runtime, number>> = {
  ...{ r: 60_000, python: 120_000, sql: 30_000, cas: 30_000, spice: 30_000, mine: 30_000, draw: 30_000, none: 0 },
};

export interface CageJob {
  runtime: Exclude<Runtime, 'none'>;
  /** Our own code or its name, as the engine understands it: never text of a model's. */
  program: string;
  /** JSON: the arguments. */
  data: unknown;
  /** Code that somebody wrote runs in it: the engine is not what it was after that, and the next call has a new one. */
  free?: true;
}

/** What came back, with the versions of all that had a part in it: `R 4.6.0`, `webr 0.6.0`. */
export interface CageAnswer {
  value: unknown;
  versions: readonly string[];
}

export interface Cage {
  /** Never throws. Fails with `tool_input`, `tool_refused`, `tool_timeout`, `tool_limit`, `tool_unavailable`, `cancelled`, ... */
  run(job: CageJob, bounds: ToolBounds, signal?: CancelSignal): Promise<Result<CageAnswer>>;
  /** Ends every engine. */
  close(): void;
}
