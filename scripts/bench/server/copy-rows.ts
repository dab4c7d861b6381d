import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import pg from 'pg';

/** Characters that are written at once. */
const PIECE = 4_000_000;

/**
 * Brings a catalog's rows from SQLite into an empty PostgreSQL of our own on this machine, as files that the database
 * itself reads (COPY): 1 M tracks with their index in minutes, where statements take a quarter of an hour.
 */
export async function copyRows(file: string, url: string): Promise<void> {
  const from = new DatabaseSync(file, { readOnly: true });
  const to = new pg.Client({ connectionString: url });
  await to.connect();
  const directory = await mkdtemp(join(tmpdir(), 'accession-bench-copy-'));
  try {
    // The database is another user.
    await chmod(directory, 0o755);
    const tables = await to.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
    );
    // A replica's role checks no references, so that the order does not matter.
    await to.query('set session_replication_role = replica');
    for (const { name } of tables.rows) await copyTable(from, to, name, join(directory, name));
    // What autovacuum does by itself a minute later.
    await to.query('vacuum analyze');
  } finally {
    from.close();
    await to.end();
    await rm(directory, { recursive: true, force: true });
  }
}

async function copyTable(from: DatabaseSync, to: pg.Client, table: string, path: string): Promise<void> {
  const columns = from
    .prepare(`pragma table_info("${table}")`)
    .all()
    .map((column) => `"${String(column['name'])}"`);
  const file = await open(path, 'w', 0o644);
  let rows = 0;
  try {
    let text = '';
    for (const row of from.prepare(`select ${columns.join(', ')} from "${table}"`).iterate()) {
      text += `${Object.values(row).map(field).join('\t')}\n`;
      rows += 1;
      if (text.length < PIECE) continue;
      await file.write(text);
      text = '';
    }
    await file.write(text);
  } finally {
    await file.close();
  }
  await to.query(`delete from "${table}"`);
  if (rows > 0) await to.query(`copy "${table}" (${columns.join(', ')}) from '${path.replaceAll("'", "''")}'`);
  await rm(path);
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function field(value: SQLOutputValue): string {
  if (value === null) return '\\N';
  return String(value).replace(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign);
}
