/**
 * The look-up of rows by tokens: FTS5 on SQLite, `tsvector` with GIN on PostgreSQL. Tokens are made here, from the terms
 * of the library's core, so that neither divides or stems words by rules of its own.
 */
import { sql, SqliteAdapter, type RawBuilder } from 'kysely';
import { chunks } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';

/** Code points; PostgreSQL takes lexemes of up to 2,046 bytes. */
const LONGEST = 120;

/**
 * A term as both look-ups take it. Few terms share a token (`(1)` of a bracketed digit): what is found is weighed by
 * the words of its text afterwards.
 */
export function tokenOf(term: string): string {
  const plain = term.toWellFormed().replace(/[^a-z0-9_\u0080-\u{10ffff}]/gu, '_');
  return plain.length <= LONGEST ? plain : [...plain].slice(0, LONGEST).join('');
}

/** How often a row has each token. */
export type TokenCounts = ReadonlyMap<string, number>;

export interface TokenRow {
  id: number;
  counts: TokenCounts;
}

export interface Wanted {
  token: string;
  weight: number;
}

export interface TokenLookup {
  add(tx: Tx, rows: readonly TokenRow[]): Promise<void>;
  remove(tx: Tx, ids: readonly number[]): Promise<void>;
  /**
   * Ids of rows that have any of the tokens, those first that have more of the rare ones.
   * @param table whose `id` the rows have, called `p` in `where`
   * @param where which of them may be found
   */
  find(
    db: Reader,
    wanted: readonly Wanted[],
    table: string,
    where: RawBuilder<unknown>,
    most: number,
  ): Promise<number[]>;
}

/** The look-up in this table, on whichever store the database is. */
export function tokenLookup(db: Reader, table: 'library_tokens' | 'library_grams'): TokenLookup {
  return db.getExecutor().adapter instanceof SqliteAdapter ? inFts5(table) : inPostgres(table);
}

/** PostgreSQL keeps no more places of a lexeme. */
const MOST_PLACES = 255;
/** Rows of a statement. */
const PART = 100;

function inFts5(table: string): TokenLookup {
  return {
    async add(tx, rows) {
      const text = ({ counts }: TokenRow): string =>
        [...counts].map(([token, count]) => `${token} `.repeat(Math.min(count, MOST_PLACES))).join('');
      for (const part of chunks(rows, 2, PART)) {
        const values = sql.join(part.map((row) => sql`(${row.id}, ${text(row)})`));
        await sql`insert into ${sql.table(table)} (rowid, tokens) values ${values}`.execute(tx);
      }
    },
    async remove(tx, ids) {
      for (const part of chunks(ids, 1, PART))
        await sql`delete from ${sql.table(table)} where rowid in (${sql.join(part)})`.execute(tx);
    },
    async find(db, wanted, of, where, most) {
      const words = wanted.map(({ token }) => `"${token}"`).join(' OR ');
      // The look-up comes first (cross join): it has the fewest rows.
      const { rows } = await sql<{ id: number }>`
        select p.id from ${sql.table(table)} cross join ${sql.table(of)} p on p.id = ${sql.ref(`${table}.rowid`)}
        where ${sql.ref(table)} match ${words} and ${where}
        order by bm25(${sql.ref(table)}), p.id limit ${most}`.execute(db);
      return rows.map(({ id }) => id);
    },
  };
}

function inPostgres(table: string): TokenLookup {
  return {
    async add(tx, rows) {
      for (const part of chunks(rows, 2, PART)) {
        const values = sql.join(part.map((row) => sql`(${row.id}::bigint, ${vectorOf(row.counts)}::tsvector)`));
        await sql`insert into ${sql.table(table)} (id, tokens) values ${values}`.execute(tx);
      }
    },
    async remove(tx, ids) {
      for (const part of chunks(ids, 1, PART))
        await sql`delete from ${sql.table(table)} where id in (${sql.join(part)})`.execute(tx);
    },
    async find(db, wanted, of, where, most) {
      const any = wanted.map(({ token }) => `'${token}'`).join(' | ');
      // ts_rank knows no rare words: each is ranked for itself, and weighed. Every place of a lexeme counts the same.
      const rank = sql.join(
        wanted.map(
          ({ token, weight }) => sql`${weight}::float8 * ts_rank('{1,1,1,1}', t.tokens, ${`'${token}'`}::tsquery)`,
        ),
        sql` + `,
      );
      const { rows } = await sql<{ id: number }>`
        select p.id from ${sql.table(table)} t join ${sql.table(of)} p on p.id = t.id
        where t.tokens @@ ${any}::tsquery and ${where}
        order by ${rank} desc, p.id limit ${most}`.execute(db);
      return rows.map(({ id }) => id);
    },
  };
}

/** `'token':1,2,3`: as many places as it counts. */
function vectorOf(counts: TokenCounts): string {
  const places = (count: number): string =>
    Array.from({ length: Math.min(count, MOST_PLACES) }, (_, at) => at + 1).join(',');
  return [...counts].map(([token, count]) => `'${token}':${places(count)}`).join(' ');
}
