import { AccessionDb } from '#adapters/browser/db.ts';
import { lanes } from './lanes.ts';

/** The workstation's database with the tables of every lane. */
export function openDatabase(name?: string): AccessionDb {
  return new AccessionDb(
    lanes.flatMap(({ tables }) => tables ?? []),
    name,
  );
}
