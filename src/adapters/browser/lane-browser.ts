/** What a lane gives to the workstation: its tables, and what the pipeline worker does for it. */
import type { Settings } from '#core/config.ts';
import type { ApplyContext } from '#core/job/apply.ts';
import type { Agent } from '#core/run/agent.ts';
import type { JobStore } from '#core/run/job-store.ts';
import type { LaneRun } from '#core/run/lane-run.ts';
import type { Result } from '#core/result.ts';
import type { HttpOptions } from '../http/request.ts';
import type { Timers } from '../http/socket.ts';
import type { FileBlobs } from '../media/loose-file.ts';
import type { BrowserBlobStore } from './blobs/blob-store.types.ts';
import type { AccessionDb } from './db.ts';
import type { DexieLaneRows } from './job-store.ts';

export interface LaneBrowser {
  /** What it keeps beside its jobs, in the same transactions. */
  rows?(db: AccessionDb): DexieLaneRows;
  /** Loads the rest of it: for the pipeline worker. */
  open?(workstation: Workstation): Promise<BrowserLane>;
  /** A drop that fits what a download request asks for. Throws AccessionError `not_found` where it knows no such request. */
  example?(db: AccessionDb, requestId: string): Promise<{ file: File; label: string }>;
}

export interface Workstation extends ApplyContext {
  db: AccessionDb;
  /** For commands of any tab: without an epoch. */
  store: JobStore;
  blobs: BrowserBlobStore;
  timers: Timers;
  /** The catalog server. */
  server: HttpOptions;
  settings(): Promise<Settings>;
  /** The copies of the server's records may be too old for what is wanted of them: they are read soon. */
  wantPull(): void;
  /** Rows were changed: the runs of all tabs look again. */
  wake(): void;
}

/** Where a lane's run works: on the workstation's own rows, or on those of an upload that it has under a lease. */
export interface RunPlace {
  store: JobStore;
  blobs: FileBlobs;
  settings(): Promise<Settings>;
  /** A worker has put this blob into the store by itself. */
  stored?(sha256: string): Promise<void>;
  /** Of an upload: tracks that jobs of others are about to publish, with the job. Its catalog is pulled before each look. */
  held?: ReadonlyMap<string, string>;
}

/** A copy of some of the server's records. */
export interface Replica {
  /** Pulls until nothing more is there. What was applied before a failure stays. */
  pull(signal?: AbortSignal): Promise<Result<unknown>>;
  /** After a pull: whether the copy had to be begun anew, since the server was put back to an older state. */
  wasRestarted?(): Promise<boolean>;
  /** All that the server had was read once. */
  isComplete(): Promise<boolean>;
}

/** A lane at work; every part may be missing. */
export interface BrowserLane {
  run?(place: RunPlace): LaneRun;
  /** Copies of the server's records; the first one of the first lane says whether the server can be reached. */
  replicas?: readonly Replica[];
  /** After the change that completed the job. */
  onPublished?(jobId: string): void;
  /** The server knows of no commit of these published jobs. */
  onLost?(jobIds: readonly string[]): Promise<void>;
  /** What the pages may call, by this lane's id. */
  api?: object;
  /** Takes what waits on the server and is no upload, and works on it; false where nothing does. */
  take?(using: { name: string; agent: Agent }, stop: AbortSignal): Promise<Result<boolean>>;
}
