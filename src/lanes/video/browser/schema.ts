import type { Table } from 'dexie';
import type { TableVersion } from '#adapters/browser/db.ts';
import type { Show, ShowHead } from '#lanes/video/core/show-catalog.ts';

declare module '#adapters/browser/db.ts' {
  interface AccessionDb {
    shows: Table<Show, string>;
    show_heads: Table<ShowHead, string>;
  }
}

/** Shows, and what lists go through of them. */
export const tables: readonly TableVersion[] = [{ since: 6, stores: { shows: 'id', show_heads: 'id, title' } }];
