/** Ids of albums and tracks that were merged into others (rearrange.ts). */
import type { Reader } from '#server/store/schema.ts';

/** An id that is another one's by now: what was sent under it goes there. */
export interface MovedIdTable {
  id: string;
  into_id: string;
  edit_id: string;
}

declare module '#server/store/schema.ts' {
  interface Database {
    moved_ids: MovedIdTable;
  }
}

/** The id under which what was sent under another one is kept by now. */
export async function currentId(db: Reader, id: string): Promise<string> {
  const row = await db.selectFrom('moved_ids').select('into_id').where('id', '=', id).executeTakeFirst();
  return row?.into_id ?? id;
}
