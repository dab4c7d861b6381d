import * as v from 'valibot';
import type { AccessionDb } from '../db.ts';
import { ModelRowSchema, type ModelRow, type ModelRows } from '../../models/parts.ts';

const PREFIX = 'model:';

/** Rows `model:<id>` of the table `meta`. */
export function databaseRows(db: AccessionDb): ModelRows {
  const parse = (row: { value: unknown } | undefined): ModelRow | null => {
    const parsed = v.safeParse(ModelRowSchema, row?.value);
    return parsed.success ? parsed.output : null;
  };
  return {
    get: async (id) => parse(await db.meta.get(PREFIX + id)),
    put: async (row) => {
      await db.meta.put({ key: PREFIX + row.id, value: row });
    },
    remove: (id) => db.meta.delete(PREFIX + id),
    list: async () => {
      const rows = await db.meta.where('key').startsWith(PREFIX).toArray();
      return rows.map(parse).filter((row) => row !== null);
    },
  };
}

/** The name of a model that is here or begun, as the list shows it; null where it is neither. */
export async function titleOfModel(db: AccessionDb, id: string): Promise<string | null> {
  return (await databaseRows(db).get(id))?.name ?? null;
}
