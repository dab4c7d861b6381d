import type { Table } from 'dexie';
import type { TableVersion } from '#adapters/browser/db.ts';
import type { Show, ShowHead } from '#lanes/video/core/show-catalog.ts';
import type { FollowedRow, VideoRecordRow } from './records.ts';

declare module '#adapters/browser/db.ts' {
  interface AccessionDb {
    shows: Table<Show, string>;
    show_heads: Table<ShowHead, string>;
    video_records: Table<VideoRecordRow, string>;
    followed_renames: Table<FollowedRow, string>;
  }
}

export const tables: readonly TableVersion[] = [
  // Shows, and what lists go through of them.
  { since: 6, stores: { shows: 'id', show_heads: 'id, title' } },
  // What confirmed recognitions say of files, and the renames that these records followed.
  { since: 9, stores: { video_records: 'id, root', followed_renames: 'journal_id, root' } },
];
