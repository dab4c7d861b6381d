/** What the driver of runs needs from the world. */
import type { Clock, Ids } from '#core/ports.ts';
import type { RunsMemory } from './memory.ts';
import type { Run, RunEvent } from './run-machine.ts';
import type { Escalation, GuideToolName, GuideView, RunRecord, RunSettings, Signs, ToolReport } from './run.types.ts';

/** One line of a run's journal; the first has the run as it began. */
export interface JournalLine {
  run: string;
  n: number;
  at: number;
  event: { kind: 'begun'; run: Run } | RunEvent;
}

/** A line of the log, word for word. */
export interface LogLine {
  at: number;
  text: string;
}

/** What is written together: all of it or nothing. */
export interface Written {
  memory: RunsMemory;
  journal: JournalLine[];
  log: LogLine[];
  records: RunRecord[];
  escalations: Escalation[];
}

/**
 * The memory of runs and what they leave. `change` reads the memory, and writes what the work made of it in one
 * transaction that no other process's comes between; the work may be called again where one did.
 */
export interface RunStore {
  change<Value>(work: (memory: RunsMemory) => Written & { value: Value }): Promise<Value>;
  /** The lines of the journal of one run, in order. */
  journal(run: string): Promise<JournalLine[]>;
}

/** Where a page of runs begins: behind this one. */
export interface RunPlace {
  at: number;
  id: string;
}

export interface RunPage {
  limit: number;
  before?: RunPlace | null;
  /** Runs of this channel, or (null) of the whole; absent: of all. */
  channel?: string | null;
  /** Also triggers of which no run began. */
  skipped?: boolean;
}

/** What a model is asked: counts and names, never a guide's text. */
export interface Question {
  run: string;
  channel: string | null;
  view: GuideView;
  possible: readonly GuideToolName[];
}

/** How a tool's use ended. Its mends are written already, with the run's id. */
export interface ToolUse {
  report: ToolReport;
  failure: string | null;
}

export interface RunPorts {
  clock: Clock;
  ids: Ids;
  /** This process, as runs know who drives them. */
  owner: string;
  store: RunStore;
  settings(): Promise<RunSettings>;
  /** The channel, or the whole, as it is now: mends and what a person undid included. */
  view(channel: string | null): Promise<GuideView>;
  signs(run: string): Promise<Signs>;
  /** One small look-up, which decides whether the circuit closes. */
  probe(): Promise<boolean>;
  /** The text of a model's answer; null: none is set, or it did not answer. */
  ask(question: Question): Promise<string | null>;
  /** `uses`: what the run knows of tools used before. Never throws for what a tool does. */
  use(tool: GuideToolName, run: Run): Promise<ToolUse>;
  /** What was written, to be shown: the log of the process, notices. After the transaction. */
  said(written: Pick<Written, 'log' | 'records' | 'escalations'>): void;
}

/** What runs left, to be shown. Whoever keeps it writes it in `RunStore.change`. */
export interface RunArchive {
  /** The newest first, by begin; `limit` at most. Those that did not begin are among them. */
  records(limit: number): Promise<RunRecord[]>;
  record(id: string): Promise<RunRecord | null>;
  /** The newest first; `limit` at most. */
  escalations(limit: number): Promise<Escalation[]>;
  memory(): Promise<RunsMemory>;
}

/** Archives that are read page by page. */
export interface RunPages extends RunArchive {
  /** The newest first, by begin, then by id. */
  page(page: RunPage): Promise<RunRecord[]>;
}
