/** The door of video.worker, as the Video page sees it (Comlink). Every call answers a Result. */
import type { RenameProblem } from '#core/plan/rename-problem.ts';
import type { Recovery, RenameOutcome, RenameProgress, UndoOutcome } from '#core/plan/rename-run.types.ts';
import type { Result } from '#core/result.ts';
import type { OpenDoubts } from '#core/video/agent/open-doubts.ts';
import type { FolderReading, RecognisedFile } from '#core/video/folder-reading.ts';
import type { FolderAnswers } from '#core/video/folder/read-folder.ts';
import type { ShowHead } from '#core/video/show-catalog.ts';
import type { AskProgress, FolderAdvice } from './model-advice.types.ts';

export interface ListedFile {
  /** Below the folder, `/` separated. */
  path: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modified: number;
}

/** A folder whose files can be renamed, or, in other browsers, only its list of files. */
export type FolderSource =
  { kind: 'handle'; handle: FileSystemDirectoryHandle } | { kind: 'list'; name: string; files: ListedFile[] };

export interface OpenedFolder {
  /** Null where files cannot be renamed from here. */
  id: string | null;
  name: string;
  /**
   * `/` and the folder's name: a browser does not say where on the disk it is. The CLI and the server lay a plan over the
   * folder that they are told.
   */
  mediaFolderPath: string;
  files: number;
}

export interface FolderRead extends OpenedFolder {
  reading: FolderReading;
  /** Files that are left as they are unless the person says otherwise, with the reason, by path. */
  leftOut: Record<string, string>;
  /** The recognition plan that waits for the person; null where nothing was recognised. */
  planId: string | null;
  /** What a model could be asked about. */
  doubts: OpenDoubts;
}

export interface ReadAnswers extends FolderAnswers {
  /** A show of the catalog that the person chose; null for none of them. */
  chosen?: string | null;
}

/** What a rename is made of: the rows as the person left them. */
export interface RenameWish {
  rows: RecognisedFile[];
  template: string;
  /** The folder is the show's own: a first folder of the template that only names the show is left out. */
  inShowFolder: boolean;
  show: FolderReading['show'];
  /** Names that the person wrote, below the folder, by the path of the file. */
  edits: Record<string, string>;
}

export interface PreviewRow {
  /** Below the folder. */
  from: string;
  to: string;
  /** What is wrong with it. */
  problems: RenameProblem[];
}

export interface RenamePreview {
  /** Of the plan that this becomes. */
  planId: string;
  /** Binds what is shown to what is done. */
  hash: string;
  /** Files that get another name, and those that should and cannot: these have problems. */
  rows: PreviewRow[];
  /** Files that have the right name already. */
  unchanged: string[];
  /** About the plan as a whole. */
  problems: RenameProblem[];
  /** Why the template cannot be used, as a sentence; null where it can. */
  templateProblem: string | null;
}

/** For browsers that cannot write into folders. */
export interface PlanFiles {
  /** `{id}.plan.json`, for `accession rename --plan FILE --root DIR`. */
  plan: { name: string; text: string };
  /** A POSIX shell script. */
  script: { name: string; text: string };
}

export interface VideoApi {
  /** Lists the folder and recognises its files; `heard` is told how many were listed so far. */
  open(source: FolderSource, heard: (files: number) => void): Promise<Result<FolderRead>>;
  /** The same files again, with the person's answers. */
  read(answers: ReadAnswers): Promise<Result<FolderRead>>;
  /** Asks the person's model about what the reading leaves open. Nothing changes by it. */
  ask(heard: (progress: AskProgress) => void): Promise<Result<FolderAdvice>>;
  /** The model is asked no more; what it said already is answered. */
  stopAsking(): Promise<void>;
  /** Shows of the catalog whose titles are like these words; without words all, by title. */
  shows(words: string): Promise<Result<ShowHead[]>>;
  /** The person's word about the recognition plan; `rows` are the files as they left them. */
  decide(status: 'completed' | 'rejected', rows: RecognisedFile[]): Promise<Result<true>>;
  preview(wish: RenameWish): Promise<Result<RenamePreview>>;
  /** Carries out what the preview with this hash showed. */
  rename(hash: string, heard: (progress: RenameProgress) => void): Promise<Result<RenameOutcome>>;
  /** Ends the rename under way after the file in hand; everything is put back. */
  cancel(): Promise<void>;
  undo(planId: string, heard: (progress: RenameProgress) => void): Promise<Result<UndoOutcome>>;
  /** Folders whose rename was interrupted and that may be written to now are put right; `giveUp` leaves the rest as it is. */
  recover(giveUp: boolean): Promise<Result<RecoveredFolder[]>>;
  planFiles(hash: string): Promise<Result<PlanFiles>>;
}

export interface RecoveredFolder {
  folder: string;
  recoveries: Recovery[];
}
