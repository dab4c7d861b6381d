/** What the pages may ask of the playbooks' worker. */
import type { EnginePlaces } from 'virtual:toolbox-packs';
import type { Result } from '#core/result.ts';
import type { ConfigKey } from '#lanes/playbooks/core/check/config-keys.ts';
import type { StepCode } from '#lanes/playbooks/core/check/free-code.ts';
import type { Estimate } from '#lanes/playbooks/core/check/estimate.ts';
import type { Fault } from '#lanes/playbooks/core/faults.ts';
import type { FileLook, TableWish } from '#lanes/playbooks/core/records/look-at-file.ts';
import type { Mark } from '#lanes/playbooks/core/records/number-marks.ts';
import type { RunNumber } from '#lanes/playbooks/core/run/numbers.ts';
import type { RunDiff } from '#lanes/playbooks/core/run/diff.ts';
import type { RunView } from '#lanes/playbooks/core/run/run-view.ts';
import type { Again } from '#lanes/playbooks/core/run/take-over.ts';
import type { SharedRun } from '#lanes/playbooks/core/shared/run-protocol.ts';
import type { Mapping } from '#lanes/playbooks/core/value.ts';
import type { Limits } from '#lanes/playbooks/core/check/step-values.ts';

export type {
  Again,
  ConfigKey,
  Estimate,
  Fault,
  FileLook,
  StepCode,
  Limits,
  Mark,
  RunDiff,
  RunView,
  SharedRun,
  TableWish,
};

/** Which answers a run is made with; `recording`: those of the file `RECORDING` among its own. */
export type WithModel = 'settings' | 'recorded' | 'recording';

/** What `accession playbook run --record` wrote, added to the files of a playbook. */
export const RECORDING = 'recording.json';

/** Begins the name of a run that is on the server, where pages name runs. */
export const ON_SERVER = 'server:';

export interface Answer {
  name: string | null;
  model: string;
}

export interface BookCheck {
  faults: Fault[];
  notes: string[];
  estimate: Estimate | null;
  keys: ConfigKey[];
  steps: string[];
  /** What answers for each name that its steps have for a model (null: a step names none): `ollama/qwen3:8b`, `recorded`. */
  answers: Answer[];
  /** null: a model is needed, and none is set up. Otherwise what answers, in a line. */
  model: string | null;
  /** Patterns of hosts that its steps ask, and whether the person agreed to them for this text. */
  domains: string[];
  agreed: boolean;
  /** Free code that its steps run, each with whether the person agreed to it. */
  code: StepCode[];
}

export interface RunWish {
  book: string;
  with: WithModel;
  limits: Limits;
  parallel: number | null;
  /** Files of a folder that are there already may be overwritten. */
  overwrite?: boolean;
  /** The run whose units are taken over; null: none. */
  reuse: string | null;
  /** Steps of which none is. */
  again?: Again;
  /** Keys of all steps that ask a model, before their own. */
  step?: Mapping;
}

/** `refused`: nothing was asked and no run is there. */
export type RunAnswer = { state: 'refused'; faults: Fault[] } | { state: 'ended'; run: string };

/** An answer as far as it has come: its last characters. */
export interface PartAnswer {
  step: string;
  unit: number;
  text: string;
}

export interface UnitTrace {
  /** What was asked, or what its tool was given; null: its input is there no more, or is another by now. */
  prompt: string | null;
  /** Kind of each entry of its workflow, when, and what it says in a line; of its answer, the numbers there. */
  lines: { at: number; kind: string; text: string; marks?: Mark[] }[];
  /** Of its answer. */
  numbers: RunNumber[];
  /** What all of its attempts took. */
  took: {
    calls: number;
    tokens_in: number;
    tokens_out: number;
    cost_usd: number;
    milliseconds: number;
    repairs: number;
  };
  /** Its lines of the run's journal, as they stand there. */
  journal: string;
}

export interface PlaybookApi {
  /** Where the engines of its tools are fetched: told first of all, by the page, whose build has them. */
  engines(places: EnginePlaces): void;
  /** A new one; its id. */
  add(name: string, text: string): Promise<Result<string>>;
  addShipped(id: string): Promise<Result<string>>;
  save(id: string, change: { name?: string; text?: string; values?: Record<string, string> }): Promise<Result<null>>;
  /** With its files; its runs stay. */
  remove(id: string): Promise<Result<null>>;
  /** Texts that its steps may read, by their paths. */
  addFiles(book: string, files: { path: string; file: File }[]): Promise<Result<null>>;
  removeFile(book: string, path: string): Promise<Result<null>>;
  /** The folder of the disk that its runs read and write; null: files of this browser. */
  setFolder(book: string, folder: FileSystemDirectoryHandle | null): Promise<Result<null>>;
  check(book: string, using: WithModel): Promise<Result<BookCheck>>;
  /** The person agrees that the steps of this text ask these hosts; none: takes it back. */
  agree(book: string, domains: readonly string[]): Promise<Result<null>>;
  /** The person read the code of this hash; not `yes`: takes it back. */
  agreeCode(book: string, sha256: string, yes: boolean): Promise<Result<null>>;
  /** Comes back when it has an end; `onBegun` when nothing refuses it. */
  run(wish: RunWish, onBegun: (run: string) => void): Promise<Result<RunAnswer>>;
  resume(run: string, limits: Limits): Promise<Result<RunAnswer>>;
  cancel(run: string): void;
  /** No further call is begun; those under way end, and it can be resumed. */
  pause(run: string): void;
  /** The answers that come just now. */
  answering(run: string): Promise<PartAnswer[]>;
  show(run: string): Promise<Result<RunView>>;
  unit(run: string, step: number, unit: number): Promise<Result<UnitTrace>>;
  /** Paths of a playbook's files. */
  files(root: string): Promise<Result<string[]>>;
  file(root: string, path: string): Promise<Result<string>>;
  /** A file that a run wrote: the text of it, and as it is shown. */
  made(run: string, path: string): Promise<Result<string>>;
  look(run: string, path: string, wish: TableWish): Promise<Result<FileLook>>;
  /** All records that the wish wants, for the clipboard. */
  sheet(run: string, path: string, wish: Pick<TableWish, 'filter' | 'sort'>): Promise<Result<string>>;
  diff(run: string, other: string): Promise<Result<RunDiff>>;
  exported(run: string): Promise<Result<Blob>>;
  removeRun(run: string): Promise<Result<null>>;
  /** Runs that stand on the server; where runs are looked at they are named `server:ID`. */
  sharedRuns(): Promise<Result<SharedRun[]>>;
  sharedRun(id: string): Promise<Result<SharedRun>>;
  /** Sends a playbook with its files there, where a worker takes it. */
  beginShared(book: string, limits: Limits, step: Mapping): Promise<Result<SharedRun>>;
  cancelShared(id: string): Promise<Result<SharedRun>>;
  resumeShared(id: string, limits: Limits): Promise<Result<SharedRun>>;
  removeShared(id: string): Promise<Result<null>>;
}
