/** The table of parcels in IndexedDB. */
import type { EntityTable } from 'dexie';
import type { TableVersion } from '#adapters/browser/db.ts';
import type { Shelf } from '../core/types.ts';

declare module '#adapters/browser/db.ts' {
  interface AccessionDb {
    shelves: EntityTable<Shelf, 'street'>;
  }
}

export const tables: readonly TableVersion[] = [{ since: 9, stores: { shelves: 'street, shelf' } }];
