/** What a lane gives to the command line: its commands, and its part in `accession work`. */
import type { Command } from 'commander';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { Timers } from '#adapters/http/socket.ts';
import type { FileBlobs } from '#adapters/media/loose-file.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import type { AgentModel } from '#core/agent/workflow/ports.ts';
import type { Settings } from '#core/config.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import type { JournalStore } from '#core/plan/rename-journal.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { Result } from '#core/result.ts';
import type { JobStore } from '#core/run/job-store.ts';
import type { LaneRun } from '#core/run/lane-run.ts';
import type { GuideConfig, LibraryConfig } from '#server/config-file.ts';
import type { ServerDeps } from '#server/lane-server.ts';
import type { PlansDeps } from '#server/plans/server-plans.ts';
import type { Store } from '#server/store/store.ts';
import type { ModelFlags, OpenedModel } from './open-model.ts';

/** The order of the commands in the help: along the way of a file, then what is about all that is kept. */
export const STAGES = ['catalog', 'recognise', 'read', 'measure', 'work', 'carry out', 'keep'] as const;

/** As a shell says it of a process that ended by Ctrl-C. */
export const INTERRUPTED = 130;

/** What the frame does for every command. */
export interface CliFrame {
  /** One line, to the terminal's output. */
  say(line: string): void;
  /** Calls back at the first wish to stop (Ctrl-C); a second one ends the process. */
  onStop(stop: () => void): void;
  /** Throws AccessionError where flags are missing, or a file, a server or a model is not there. */
  openModel(flags: ModelFlags, own: Readonly<Record<string, () => LlmProvider>>): Promise<OpenedModel>;
  /** Tools of all lanes for steps of playbooks. */
  stepTools(place: StepToolPlace): Promise<readonly OfferedTool[]>;
  /** Loaded by commands that change folders of this machine. */
  loadFolders(): Promise<FolderAdapters>;
  /**
   * What the plans of a server are, in its data directory, beside the running server or without it.
   *
   * @param data the directory; otherwise as the environment says
   */
  withPlans(data: string | undefined, work: (deps: PlansDeps) => Promise<void>): Promise<void>;
  /**
   * The catalog's database and the folders of accession.toml, beside a running server or without it.
   *
   * @param data the data directory; otherwise as the environment says
   */
  withLibrary(data: string | undefined, work: (kept: KeptLibrary) => Promise<void>): Promise<void>;
  /**
   * The guides of a server's database, with what it knows of shows and videos, beside a running server or without it.
   *
   * @param data the data directory; otherwise as the environment says
   */
  withGuides(data: string | undefined, work: (kept: KeptGuides) => Promise<void>): Promise<void>;
}

/** What guides are kept in. */
export interface KeptGuides extends Pick<ServerDeps, 'store' | 'clock' | 'ids' | 'log' | 'events' | 'lanes'> {
  guide: GuideConfig;
}

/** What a server's library is kept in. */
export interface KeptLibrary {
  store: Store;
  library: LibraryConfig;
  /** The model that accession.toml names for vectors. */
  embedder: Embedder | null;
}

export interface FolderAdapters {
  /** Throws AccessionError where there is no such folder. */
  openTree(directory: string): Promise<FileTree & { readonly root: string }>;
  /** Journals of renames, in one file. */
  openJournal(path: string): JournalStore;
}

export interface LaneCommand {
  readonly stage: (typeof STAGES)[number];
  /**
   * Adds the command to the program. What it needs is loaded when it is called; its exit code, where it is neither 0
   * nor a failure's, is set on the process.
   */
  register(program: Command, frame: CliFrame): void;
}

/** Where `accession work` works. */
export interface WorkPlace {
  http: HttpOptions;
  settings: Settings;
  clock: Clock;
  ids: Ids;
  timers: Timers;
  blobs: FileBlobs;
  /** Of the blobs. */
  directory: string;
  /** A native ffmpeg that works; null: there is none. */
  ffmpeg: string | null;
}

/** A lane's part in working on uploads. */
export interface LaneWorker {
  /** Over the rows of one upload. `held`: tracks that jobs of others are about to publish, with the job. */
  run(upload: { store: JobStore; held: ReadonlyMap<string, string> }): LaneRun;
  /** Brings its copy of the server's records up to date. Throws AccessionError where it cannot be asked. */
  refresh(): Promise<void>;
  /** Lets go of what the last upload needed. */
  rest(): Promise<void>;
}

/** Where `accession work` takes what is no upload. */
export interface TakerPlace extends Pick<WorkPlace, 'http' | 'clock'>, Pick<CliFrame, 'openModel' | 'say'> {
  /** The model of the settings; null: none is set. */
  model(): Promise<AgentModel | null>;
  /** [playbooks.models] of accession.toml. */
  mapped: Readonly<Record<string, string>>;
  /** For steps of playbooks: what this machine lets sources be asked ([tools] of accession.toml), and tools of all lanes. */
  steps: { allow: readonly string[]; tools(agreed: readonly string[]): Promise<readonly OfferedTool[]> };
  /** Resolves after so many milliseconds, or when aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** A lane's part in working on what is no upload. */
export interface LaneTaker {
  /**
   * Takes the next that waits, and works on it to its end or until stopped; false where none does. A failure where the server
   * cannot be asked, or where something went wrong with it here.
   */
  take(name: string, stop: AbortSignal): Promise<Result<boolean>>;
  close(): Promise<void>;
}

/** What tools for steps of playbooks look at. */
export interface StepToolPlace {
  /** A folder, whose library is brought up to date when it is first asked. */
  library?: string;
  data: string;
  /** Patterns of hosts to which a person agreed. */
  agreed: readonly string[];
}

export interface LaneCli {
  readonly id: string;
  readonly commands: readonly LaneCommand[];
  openWorker?(place: WorkPlace): Promise<LaneWorker>;
  openTaker?(place: TakerPlace): Promise<LaneTaker>;
  /** Tools that it gives to steps of playbooks. */
  stepTools?(place: StepToolPlace): Promise<readonly OfferedTool[]>;
}
