/** What the pages may ask of the playbooks' worker. */
import type { EnginePlaces } from 'virtual:toolbox-packs';
import type { Result } from '#core/result.ts';
import type { ConfigKey } from '#lanes/playbooks/core/check/config-keys.ts';
import type { Estimate } from '#lanes/playbooks/core/check/estimate.ts';
import type { Fault } from '#lanes/playbooks/core/faults.ts';
import type { RunNumber } from '#lanes/playbooks/core/run/numbers.ts';
import type { RunDiff } from '#lanes/playbooks/core/run/diff.ts';
import type { RunView } from '#lanes/playbooks/core/run/run-view.ts';
import type { Limits } from '#lanes/playbooks/core/check/step-values.ts';

export type { ConfigKey, Estimate, Fault, Limits, RunDiff, RunView };

/** Which answers a run is made with; `recording`: those of the file `RECORDING` among its own. */
export type WithModel = 'settings' | 'recorded' | 'recording';

/** What `accession playbook run --record` wrote, added to the files of a playbook. */
export const RECORDING = 'recording.json';

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
}

/** `refused`: nothing was asked and no run is there. */
export type RunAnswer = { state: 'refused'; faults: Fault[] } | { state: 'ended'; run: string };

export interface UnitTrace {
  /** Kind of each entry of its workflow, when, and what it says in a line. */
  lines: { at: number; kind: string; text: string }[];
  /** Of its answer. */
  numbers: RunNumber[];
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
  /** Comes back when it has an end; `onBegun` when nothing refuses it. */
  run(wish: RunWish, onBegun: (run: string) => void): Promise<Result<RunAnswer>>;
  resume(run: string, limits: Limits): Promise<Result<RunAnswer>>;
  cancel(run: string): void;
  show(run: string): Promise<Result<RunView>>;
  unit(run: string, step: number, unit: number): Promise<Result<UnitTrace>>;
  files(root: string): Promise<Result<string[]>>;
  file(root: string, path: string): Promise<Result<string>>;
  diff(run: string, other: string): Promise<Result<RunDiff>>;
  exported(run: string): Promise<Result<Blob>>;
  removeRun(run: string): Promise<Result<null>>;
}
