/** Rows by their ids, rows over rows, and whether a row has to be written at all. */
import { isDeepStrictEqual } from 'node:util';
import { CompiledQuery, sql } from 'kysely';
import type { Database, Reader, Tx } from './schema.ts';

/** Tables whose rows have an `id`. */
type TableOfIds = { [T in keyof Database]: Database[T] extends { id: string } ? T : never }[keyof Database];

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** The rows of these ids, however many; what is not there is left out. */
export async function findRows<T extends TableOfIds>(
  db: Reader,
  table: T,
  ids: readonly string[],
  breathe: Breathe = () => Promise.resolve(),
): Promise<Map<string, Database[T]>> {
  const found = new Map<string, Database[T]>();
  // Any of the tables, to the compiler one of them.
  const query = db.selectFrom(table as 'users').selectAll();
  for (const part of chunks(ids, 1, PART)) {
    for (const row of await query.where('id', 'in', part).execute()) found.set(row.id, row as unknown as Database[T]);
    await breathe();
  }
  return found;
}

export async function findRow<T extends TableOfIds>(
  db: Reader,
  table: T,
  id: string,
): Promise<Database[T] | undefined> {
  return (await findRows(db, table, [id])).get(id);
}

/** Called between parts of a long write, so that others get their turn. */
export type Breathe = () => Promise<void>;

/**
 * Inserts rows that all have the same columns, and writes over those that are there under their key.
 * @param over the key, and the columns that are written over; by default `id` and all others
 */
export async function upsert<T extends keyof Database>(
  tx: Tx,
  table: T,
  rows: readonly Database[T][],
  over: { key?: readonly (keyof Database[T] & string)[]; columns?: readonly (keyof Database[T] & string)[] } = {},
  breathe: Breathe = () => Promise.resolve(),
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const key: readonly string[] = over.key ?? ['id'];
  const all = Object.keys(first) as (keyof Database[T] & string)[];
  const columns = over.columns ?? all.filter((name) => !key.includes(name));
  for (const part of chunks(rows, all.length, PART)) {
    const text = upsertText(tx, { table, all, key, columns, rows: part.length });
    await tx.executeQuery(
      CompiledQuery.raw(
        text,
        part.flatMap((row) => all.map((name) => row[name])),
      ),
    );
    await breathe();
  }
}

/** Statements of whole parts: building one costs more than running it. */
const kept = new Map<string, string>();

interface Upsert {
  table: string;
  all: readonly string[];
  key: readonly string[];
  columns: readonly string[];
  rows: number;
}

function upsertText(tx: Tx, { table, all, key, columns, rows }: Upsert): string {
  const { adapter } = tx.getExecutor();
  const isWhole = rows === partSize(all.length, PART);
  const name = [adapter.constructor.name, table, all, key, columns].join('|');
  const known = isWhole ? kept.get(name) : undefined;
  if (known !== undefined) return known;
  const list = (names: readonly string[]) => sql.join(names.map((one) => sql.ref(one)));
  const set = sql.join(columns.map((one) => sql`${sql.ref(one)} = ${sql.ref(`excluded.${one}`)}`));
  const row = sql`(${sql.join(all.map(() => sql`${null}`))})`;
  const values = sql.join(Array.from({ length: rows }, () => row));
  const into = sql`insert into ${sql.table(table)} (${list(all)}) values ${values}`;
  const { sql: text } = sql`${into} on conflict (${list(key)}) do update set ${set}`.compile(tx);
  if (isWhole) kept.set(name, text);
  return text;
}

/** A row to be written, and what it was before (null: it is new). */
export interface Write<T> {
  row: T;
  before: T | null;
}

/**
 * What has to be written to get from `before` to `row`: nothing when they say the same, otherwise the row with
 * the next version.
 */
export function writeOf<T extends { version: number }>(before: T | null, row: T): Write<T> | null {
  if (before === null) return { row, before };
  const next = { ...row, version: before.version };
  // By column: a row of the database has no prototype.
  const same = (Object.keys(next) as (keyof T)[]).every(
    (name) => next[name] === before[name] || isDeepStrictEqual(next[name], before[name]),
  );
  return same ? null : { row: { ...next, version: before.version + 1 }, before };
}

/** Rows of a statement where many follow: it runs in one go, so that others wait as long. */
const PART = 400;

/** Parameters one statement may carry; SQLite takes 32,766 and PostgreSQL 65,535. */
const MAX_PARAMETERS = 20_000;

const partSize = (width: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor(MAX_PARAMETERS / width)));

/** Cuts a list so that each part fits into one statement. @param width parameters a row needs */
export function* chunks<T>(rows: Iterable<T>, width = 1, most = 1000): Generator<T[]> {
  const size = partSize(width, most);
  let part: T[] = [];
  for (const row of rows) {
    part.push(row);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** What the query builder gives before it is executed. */
interface Compilable {
  compile(): CompiledQuery;
}

/**
 * Inserts many rows of the same columns. The statement is built once for each length of a part and then only gets
 * other parameters: building it anew costs more than running it.
 * @param values a row's values, in the order in which `insert` names the columns
 * @param between called after each part, so that others get their turn
 */
export async function bulkInsert<T>(
  tx: Tx,
  rows: readonly T[],
  insert: (part: T[]) => Compilable,
  values: (row: T) => readonly unknown[],
  between: () => Promise<void>,
): Promise<void> {
  const first = rows[0];
  if (first === undefined) return;
  const width = values(first).length;
  let built: CompiledQuery | null = null;
  for (const part of chunks(rows, width, PART)) {
    if (built?.parameters.length !== part.length * width) built = insert(part).compile();
    await tx.executeQuery({ ...built, parameters: part.flatMap(values) });
    await between();
  }
}
