/** Whether the database is whole, its rows refer to what is there, and the feed tells of every record. */
import { sql, SqliteAdapter } from 'kysely';
import type { LaneServer } from '../lane-server.ts';
import { appendChanges, countOn, positions } from '../store/feed.ts';
import { chunks } from '../store/rows.ts';
import type { Reader, Tx } from '../store/schema.ts';

/** Faults of one kind that are told. */
const TOLD = 20;

/**
 * Reads the whole database. Answers what is wrong with it, as sentences without a subject: SQLite by its own
 * `integrity_check`; PostgreSQL by reading every row of every table, and its indexes where the extension amcheck is there.
 */
export async function databaseTrouble(db: Reader): Promise<string[]> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return sqliteTrouble(db);
  const trouble: string[] = [];
  for (const { name } of await db.introspection.getTables())
    await sql`select sum(length(one::text)) from ${sql.table(name)} as one`.execute(db).catch((error: unknown) => {
      trouble.push(`cannot be read in table ${name} (${said(error)})`);
    });
  const { rows: there } = await sql`select 1 from pg_extension where extname = 'amcheck'`.execute(db);
  if (there.length === 0) return trouble;
  const { rows } = await sql<{ name: string; id: string }>`select c.relname as name, c.oid::text as id from pg_class c
    join pg_am a on a.oid = c.relam join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'i' and a.amname = 'btree' and n.nspname = current_schema()`.execute(db);
  for (const { name, id } of rows)
    await sql`select bt_index_check(${id}::oid::regclass, true)`.execute(db).catch((error: unknown) => {
      trouble.push(`has a damaged index ${name} (${said(error)})`);
    });
  return trouble;
}

async function sqliteTrouble(db: Reader): Promise<string[]> {
  try {
    const { rows } = await sql<Record<string, unknown>>`pragma integrity_check(20)`.execute(db);
    const lines = rows.map((row) => String(Object.values(row)[0])).filter((line) => line !== 'ok');
    if (lines.length > 0) return lines.map((line) => `is damaged (${line.replaceAll('\n', ' ')})`);
    const { rows: strays } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
    const kinds = new Set(strays.map(({ table, parent }) => `has rows of ${table} that name missing ${parent}`));
    return [...kinds].slice(0, TOLD);
  } catch (error) {
    return [`is damaged (${said(error)})`];
  }
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the change feed does not tell, by kind: records without a change, and whether its counter is behind. */
export interface FeedTrouble {
  untold: { kind: string; ids: string[] }[];
  /** Null where the counter is right. */
  last: number | null;
}

export async function feedTrouble(db: Reader, lanes: readonly LaneServer[]): Promise<FeedTrouble> {
  const untold: FeedTrouble['untold'] = [];
  for (const lane of lanes)
    for (const [kind, table] of Object.entries(lane.keeping?.fed ?? {})) {
      const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} as one where not exists
        (select 1 from changes where kind = ${kind} and entity_id = one.id) order by id`.execute(db);
      if (rows.length > 0) untold.push({ kind, ids: rows.map(({ id }) => id) });
    }
  const { rows } = await sql<{ last: unknown }>`select max(seq) as last from changes`.execute(db);
  const last = Number(rows[0]?.last ?? 0);
  return { untold, last: last > (await positions(db)).catalog ? last : null };
}

export function feedWords({ untold, last }: FeedTrouble): string[] {
  const missing = untold.map(
    ({ kind, ids }) => `does not tell of ${ids.length} of kind ${kind} (${ids.slice(0, 5).join(', ')})`,
  );
  return last === null ? missing : [...missing, `counts on from a number before its last change, ${last}`];
}

export async function mendFeed(tx: Tx, { untold, last }: FeedTrouble): Promise<void> {
  if (last !== null) await countOn(tx, 'catalog', last - (await positions(tx)).catalog);
  for (const { kind, ids } of untold)
    for (const part of chunks(ids))
      await appendChanges(
        tx,
        part.map((entity_id) => ({ kind, entity_id })),
      );
}
