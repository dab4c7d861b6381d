/** The RPC interface of video.worker, as the Video page calls it (Comlink). Every call answers a Result. */
import type { FolderSource, OpenedFolder } from '#adapters/browser/plans/open-folder.ts';
import type { PlanFiles } from '#adapters/browser/plans/rename-draft.ts';
import type { RecoveredFolder } from '#adapters/browser/plans/rename-runs.ts';
import type { Failure } from '#core/errors.ts';
import type { RenameProblem } from '#core/plan/rename-problem.ts';
import type { RenameOutcome, RenameProgress, UndoOutcome } from '#core/plan/rename-run.types.ts';
import type { Result } from '#core/result.ts';
import type { OpenDoubts } from '#lanes/video/core/agent/make-doubts.ts';
import type { FolderReading, RecognisedFile } from '#lanes/video/core/folder-reading.ts';
import type { FolderAnswers } from '#lanes/video/core/folder/read-folder.ts';
import type { VideoExport } from '#lanes/video/core/records/video-record.ts';
import type { ShowHead } from '#lanes/video/core/show-catalog.ts';

export type { FolderSource, RecoveredFolder };

export interface FolderRead extends OpenedFolder {
  reading: FolderReading;
  /** Files that are left as they are unless the person says otherwise, with the reason, by path. */
  leftOut: Record<string, string>;
  /** The recognition plan that waits for the person; null where nothing was recognised. */
  planId: string | null;
  /** What a model could be asked about. */
  doubts: OpenDoubts;
  /** How many of its files are recorded, by confirmed recognitions, and when the last was; null where none is. */
  recorded: { files: number; at: number } | null;
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

/** What a model says of an opened folder. Nothing of it counts before the person takes it over (VIDEO-91). */
export interface Advice {
  kind: 'which-show' | 'which-numbering' | 'which-episode';
  question: string;
  /** Below the folder; null where it is about the folder as a whole. */
  path: string | null;
  /** Null where the model leaves it to the person. `place` is of a file. */
  proposal: { id: string; label: string; place: { season: number; episode: number } | null } | null;
  /** The model's short why. */
  why: string;
  /** Why the folder's files speak against it; null where they do not. */
  refused: string | null;
}

export interface FolderAdvice {
  /** As the provider calls it. */
  model: string;
  items: Advice[];
  /** The person stopped it, or another folder was opened: the rest was not asked. */
  stopped: boolean;
  /** Why the model was asked no more; null where it answered. */
  failure: Failure | null;
}

/** Where the asking is. */
export type AskProgress = { stage: 'opening' } | { stage: 'asking'; at: number; question: string; path: string | null };

export interface VideoApi {
  /** Lists the folder and recognises its files; `progress` gets how many were listed so far. */
  open(source: FolderSource, progress: (files: number) => void): Promise<Result<FolderRead>>;
  /** The same files again, with the person's answers. */
  read(answers: ReadAnswers): Promise<Result<FolderRead>>;
  /** Asks the person's model about what the reading leaves open. Nothing changes by it. */
  ask(progress: (now: AskProgress) => void): Promise<Result<FolderAdvice>>;
  /** The model is asked no more; what it said already is answered. */
  stopAsking(): Promise<void>;
  /** Shows of the catalog whose titles are like these words; without words all, by title. */
  shows(words: string): Promise<Result<ShowHead[]>>;
  /** The person's word about the recognition plan; `rows` are the files as they left them. */
  decide(status: 'completed' | 'rejected', rows: RecognisedFile[]): Promise<Result<true>>;
  preview(wish: RenameWish): Promise<Result<RenamePreview>>;
  /** Carries out what the preview with this hash showed. */
  rename(hash: string, progress: (now: RenameProgress) => void): Promise<Result<RenameOutcome>>;
  /** Ends the rename under way after the file in hand; everything is put back. */
  cancel(): Promise<void>;
  /** Takes away what a confirmed recognition wrote down; answers of how many files. */
  takeBack(planId: string): Promise<Result<number>>;
  /** The records of the opened folder, or all that this browser has. */
  records(which: 'folder' | 'all'): Promise<Result<VideoExport>>;
  undo(planId: string, progress: (now: RenameProgress) => void): Promise<Result<UndoOutcome>>;
  /** Folders whose rename was interrupted and that may be written to now are put right; `giveUp` leaves the rest as it is. */
  recover(giveUp: boolean): Promise<Result<RecoveredFolder[]>>;
  planFiles(hash: string): Promise<Result<PlanFiles>>;
}
