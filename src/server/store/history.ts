/**
 * How far the database had come when it last answered: kept beside it, outside of it, after each commit. A database that
 * is older than that has lost what was acknowledged: its log (WAL) was deleted or cut, a copy was put back, or a disk that
 * said that it had written had not. Where the power went the note itself may be older; that is never an alarm.
 */
import { sql } from 'kysely';
import type { Reader } from './schema.ts';

export interface Position {
  catalog_id: string;
  /** Of the change feed. */
  seq: number;
  /** Of the last transaction that wrote to the feed. */
  mark: string | null;
  /** Of the updates of jobs. */
  updates: number;
}

/** Where positions are kept. */
export interface LastCommit {
  /** What was there at the start; null where there was nothing, or half of it. */
  readonly before: Position | null;
  /** Does not wait for the disk, and is done when it returns. */
  write(position: Position): void;
  /** The database was put back while this process served it: what is missing, as a sentence. After the write that met it. */
  lost?(sentence: string): void;
}

/** Undefined before the database has its id. */
export async function positionOf(db: Reader): Promise<Position | undefined> {
  const { rows } = await sql<{ catalog_id: string | null; seq: unknown; mark: string | null; updates: unknown }>`select
    (select value from meta where key = 'catalog_id') as catalog_id,
    (select value from feed_counter where id = 1) as seq,
    (select value from feed_counter where id = 2) as updates,
    (select mark from feed_marks order by seq desc limit 1) as mark`.execute(db);
  const [row] = rows;
  if (row?.catalog_id == null) return undefined;
  return { catalog_id: row.catalog_id, seq: Number(row.seq ?? 0), mark: row.mark, updates: Number(row.updates ?? 0) };
}

/**
 * What a database has lost since the note was written, as a sentence; null: nothing.
 * @param known where the database is, if that was asked already
 */
export async function historyTrouble(db: Reader, before: Position | null, known?: Position): Promise<string | null> {
  const now = before === null ? undefined : (known ?? (await positionOf(db)));
  if (before === null || now === undefined) return null;
  if (now.catalog_id !== before.catalog_id)
    return 'The database is another catalog than the one that was last served from this directory.';
  const changes = before.seq - now.seq;
  const updates = before.updates - now.updates;
  const lost = [
    ...(changes > 0 ? [`${changes} changes of the catalog`] : []),
    ...(updates > 0 ? [`${updates} changes of jobs`] : []),
  ];
  if (lost.length > 0)
    return `The database is older than what was last answered from it: ${lost.join(' and ')} are missing. Its log (catalog.db-wal) was lost, or an older copy was put back.`;
  const marks = db.selectFrom('feed_marks').select('mark').where('seq', '>=', before.seq).orderBy('seq').limit(1);
  const mark = (await marks.executeTakeFirst())?.mark ?? null;
  if (before.mark === null || mark === before.mark) return null;
  return 'The database has another history than what was last answered from it: an older copy was put back, and changed since.';
}
