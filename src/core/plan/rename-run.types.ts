/** What carrying out, recovering and undoing a rename take and give. */
import type { Failure } from '../errors.ts';
import type { Cancel, Clock, Ids } from '../ports.ts';
import type { FileTree } from './file-tree.ts';
import type { RenamePreview } from './preview-rename.ts';
import type { PlanState, RenameFilesPlan } from './plan.ts';
import type { JournalStore } from './rename-journal.ts';
import type { RenameProblem } from './rename-problem.ts';

export interface RenameProgress {
  phase: 'checking' | 'moving' | 'taking-back' | 'tidying';
  /** Moves, of `total`; a row that goes through a temporary name is two. */
  done: number;
  total: number;
  /** Below the folder: what is in hand. */
  from?: string;
  to?: string;
}

/** What every run has. */
export interface RenamePorts {
  tree: FileTree;
  journal: JournalStore;
  clock: Clock;
  /**
   * Names the folder for the lock and the journal: the same for every tree over one folder, and for no other. Without
   * it the plan's `mediaFolderPath`, which is enough where that is a real path.
   */
  root?: string;
  /** Who wants it, for the history. */
  by?: string;
  progress?: (progress: RenameProgress) => void;
}

export interface ExecuteRename extends RenamePorts {
  plan: RenameFilesPlan;
  /** `previewHash` of what the person was shown. */
  hash: string;
  /** What would be done now, where the plan is more than new names; else its names are checked. */
  preview?: () => Promise<RenamePreview>;
  /** Its `sources` are compared with the disk. */
  state?: Pick<PlanState, 'sources'>;
  ids: Ids;
  /** Stops after the step in hand and takes everything back. */
  cancel?: Cancel;
}

/** Where a file of the plan is now; paths below the folder. */
export interface Standing {
  row: number;
  /** As it was called before, and as the plan calls it. */
  from: string;
  to: string;
  /** Null: at none of the places where it should be, as far as the disk says. */
  now: string | null;
}

export interface RenameCounts {
  /** Files that have another name, or another content. */
  renamed: number;
  /** Rows that keep their name. */
  unchanged: number;
  /** Directories that are new, and that were left empty and are gone; paths below the folder. */
  made: string[];
  removed: string[];
  /** What is said of files besides, in sentences. */
  said?: { path: string; sentence: string }[];
}

export type RenameOutcome =
  /** Nothing was touched. */
  | { result: 'refused'; problems: RenameProblem[] }
  /** Every file is as planned. */
  | ({ result: 'done'; journalId: string } & RenameCounts)
  /** Every file is as before: a step failed, or it was cancelled. */
  | { result: 'rolled-back'; journalId: string; failure: Failure }
  /** A step failed and the way back too. The journal stays open; `standing` says where every file is. */
  | { result: 'stuck'; journalId: string; failure: Failure; standing: Standing[] };

export type UndoOutcome =
  | { result: 'refused'; problems: RenameProblem[] }
  | { result: 'undone'; journalId: string; renamed: number }
  /** A step failed and every file is as the plan has it again. */
  | { result: 'still-done'; journalId: string; failure: Failure }
  | { result: 'stuck'; journalId: string; failure: Failure; standing: Standing[] };

/** What became of one journal that a crash left open. */
export type Recovery = { journalId: string; planId: string } & (
  | /** Every file is as before; `wasUndo` where a person had asked for that. */ {
      result: 'rolled-back';
      wasUndo: boolean;
    }
  | /** Every file is as planned. */ { result: 'done' }
    /**
     * Neither way is free: `problems` say what is in the way and `standing` where every file is. The journal stays open,
     * so that recovery can be tried again; with `giveUp` it is closed (`abandoned`) and the files stay where they are.
     */
  | { result: 'stuck' | 'abandoned'; failure: Failure; problems: RenameProblem[]; standing: Standing[] }
);

export interface RecoverRename extends RenamePorts {
  root: string;
  /** What can go neither way is left as it is, and the folder is free for other renames. */
  giveUp?: boolean;
}

export interface UndoRename extends RenamePorts {
  /** Its newest rename is taken back. */
  planId: string;
}
