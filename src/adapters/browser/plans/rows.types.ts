/** Rows of IndexedDB beside plans: opened folders, and the journals of renames in them. */
import type { JournalEnd, JournalHead, JournalRecord } from '#core/plan/rename-journal.ts';

/** A folder that was opened here; the table is called `video_folders`, as it was when only videos were renamed. */
export interface FolderRow {
  /** Names the folder for locks and journals: the same each time it is opened. */
  id: string;
  name: string;
  /** Kept over restarts by the browser; whether it may still be used is asked of it. */
  handle: FileSystemDirectoryHandle;
  /** Milliseconds; the last time. */
  opened_at: number;
  /** The lane that opened it last; absent: video. */
  lane?: string;
}

export interface RenameJournalRow {
  id: string;
  /** A folder's id. */
  root: string;
  plan_id: string;
  /** 1 while it has no end: what recovery looks for. */
  open: 0 | 1;
  /** How it ended last; null while it has no end. */
  ended: JournalEnd | null;
  head: JournalHead;
}

export interface RenameRecordRow {
  /** In the order of writing. */
  seq?: number;
  journal_id: string;
  record: JournalRecord;
}
