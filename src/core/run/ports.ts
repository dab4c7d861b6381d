/** What a run needs of where it happens: a browser's tab, a worker's process, an evaluation. */
import type { CancelSignal } from '../cancel.ts';
import type { Failure } from '../errors.ts';
import type { ApplyContext } from '../job/apply.ts';
import type { Job } from '../job/job.ts';
import type { Agent } from './agent.ts';
import type { AgentState } from './agent-state.ts';
import type { JobStore } from './job-store.ts';
import type { LaneRun } from './lane-run.ts';

export interface RunDeps extends ApplyContext {
  store: JobStore;
  lanes: readonly LaneRun[];
  /** By a job's `lane`; the first lane where a row from before 0.2 names none. */
  lane(id: string | undefined): LaneRun;
  agent: Agent;
  /** What is known about the model, for whoever shows it and for the next run. */
  agentState: StateOf<AgentState>;
  /** A person paused all work on files. */
  paused(): Promise<boolean>;
  /** Files that are probed, and converted, at once. Where none is converted, an approved file is settled. */
  parallel: { probes: number; conversions: number };
  /** Shares 0..1 of what is being converted, by job; it is worth no row. */
  report?(shares: ReadonlyMap<string, number>): void;
  /**
   * What a local failure (no space, no codecs, no server) means: the file waits until the tools are here, it
   * fails with that reason, or the run stops, because another place may do better.
   */
  onLocalFailure(failure: Failure): 'wait' | 'fail' | 'stop';
  /** Calls back in about a minute. */
  later(run: () => void): void;
  /** What could be written nowhere else. */
  onError(error: unknown): void;
  /** Publishes what waits in the outbox, beside the run. */
  sync: RunBeside;
  /** Other work of the same process, which is notified of changes, too. */
  beside?: RunBeside;
}

/** Works by itself from `start` to `stop`. */
export interface RunBeside {
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
  /** Rows were changed. */
  poke(): void;
}

/** One small record that is read and changed as a whole. */
export interface StateOf<T> {
  read(): Promise<T>;
  /** Writes only where something is different. Answers what it is then. */
  change(change: (before: T) => T): Promise<T>;
}

/** What the stations of one run share. */
export interface Station extends RunDeps {
  /** Rows were changed by this run: look again. */
  poke(): void;
  /** True while the codecs are not here and cannot be fetched: nothing is begun that needs them. */
  toolsMissing(): boolean;
  onToolsMissing(): void;
  /** Ends the run with this failure. */
  stopWith(failure: Failure): void;
  /** Aborted when the run ends. */
  signal: CancelSignal;
}

export function laneOf({ lane }: Pick<RunDeps, 'lane'>, job: Pick<Job, 'lane'>): LaneRun {
  return lane(job.lane);
}

/** Whether a failure is local and not the file's: on another machine, or later, the same file may go well. */
export function isLocal({ code }: Failure): boolean {
  return code === 'offline' || code.startsWith('storage_');
}

/** The lane of this id; the first one where a row from before 0.2 names none. Throws where there is none of it. */
export function laneFinder(runs: readonly LaneRun[]): (id: string | undefined) => LaneRun {
  return (id) => {
    const found = id === undefined ? runs[0] : runs.find((run) => run.id === id);
    if (found === undefined) throw new Error(`no lane of this release is called "${id ?? ''}"`);
    return found;
  };
}
