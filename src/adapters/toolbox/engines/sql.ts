/** SQL, by DuckDB. The tables are put in, then everything outside is closed, then the query is read. A new database a call. */
import type { DuckDBBindings, DuckDBConnection } from '@duckdb/duckdb-wasm/blocking';
import { failed, messageOf } from '#core/errors.ts';
import { toBase64 } from '#core/toolbox/base64.ts';
import { writeCells } from '#core/toolbox/frame/csv.ts';
import type { Engine } from '#core/toolbox/engine.ts';

type Rows = Record<string, unknown>[];
interface Query {
  tables: Record<string, string | Rows | { parquet: string }>;
  sql: string;
  /** The result as a file, too. */
  out?: 'parquet';
}
interface Answer {
  columns: string[];
  types: string[];
  rows: unknown[][];
  total: number;
  truncated: boolean;
}
/** Rows that are given at most; `total` says how many there are. */
const MOST_ROWS = 100_000;
/** Whole numbers that JSON holds exactly. */
const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** What DuckDB says of files and addresses, also of those that it takes for the name of a table. */
const OUTSIDE =
  /^Permission Error|disabled (?:through|by) configuration|file system|extension|Table with name \S*[/\\:.]\S* does not exist/i;
/** What would look at the machine's own files: there are none. Tables are put in as buffers, which need nothing of it. */
export const NO_HOST = {
  checkFile: () => false,
  checkDirectory: () => false,
  glob: () => undefined,
  listDirectoryEntries: () => false,
};

/** @param opened a database that was loaded, and the version of the package that it came from */
export async function openSql({ db, version }: { db: DuckDBBindings; version: string }): Promise<Engine> {
  await db.instantiate(() => undefined);
  return {
    versions: [`DuckDB ${db.getVersion().replace(/^v/, '')}`, `duckdb-wasm ${version}`],
    call({ data }) {
      const { tables, sql, out } = data as Query;
      db.reset();
      const connection = db.connect();
      try {
        for (const [name, rows] of Object.entries(tables)) putIn(db, connection, name, rows);
        connection.query('SET enable_external_access=false');
        const found = answer(connection, sql);
        return out === undefined ? found : { ...found, file: { base64: parquetOf(db, found) } };
      } finally {
        connection.close();
        db.dropFiles();
      }
    },
  };
}

function putIn(db: DuckDBBindings, connection: DuckDBConnection, name: string, rows: Query['tables'][string]): void {
  if (typeof rows !== 'string' && !Array.isArray(rows)) return putParquet(db, connection, name, rows.parquet);
  const file = `${name}.${typeof rows === 'string' ? 'csv' : 'json'}`;
  try {
    db.registerFileText(file, typeof rows === 'string' ? rows : JSON.stringify(rows));
    if (typeof rows === 'string') connection.insertCSVFromPath(file, { name, detect: true, header: true });
    else connection.insertJSONFromPath(file, { name });
  } catch (thrown) {
    throw notRead(name, thrown);
  }
}

function putParquet(db: DuckDBBindings, connection: DuckDBConnection, name: string, base64: string): void {
  const file = `${name}.parquet`;
  try {
    db.registerFileBuffer(
      file,
      Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)),
    );
    connection.query(`CREATE TABLE "${name}" AS SELECT * FROM parquet_scan('${file}')`);
  } catch (thrown) {
    throw notRead(name, thrown);
  }
}

const notRead = (name: string, thrown: unknown): Error =>
  failed('tool_input', `tables: "${name}": ${firstLine(thrown)}`, { subject: 'tables' });

function answer(connection: DuckDBConnection, sql: string): Answer {
  try {
    // What it is first: an error then speaks of the query as it was written.
    const described = connection.query(`DESCRIBE ${sql}`).toArray() as { column_name: string; column_type: string }[];
    const columns = described.map(({ column_name }) => column_name);
    const types = described.map(({ column_type }) => column_type);
    const named = columns.map((_, at) => `c${at}`);
    const within = `(${sql}\n) AS q(${named.join(', ')})`;
    const plain = named.map((one, at) => plainly(one, types[at] ?? '')).join(', ');
    const rows = connection.query(`SELECT ${plain} FROM ${within} LIMIT ${MOST_ROWS}`).toArray();
    const total =
      rows.length < MOST_ROWS
        ? rows.length
        : Number((connection.query(`SELECT count(*) AS n FROM ${within}`).toArray() as { n: bigint }[])[0]?.n);
    const cells = rows.map((row: unknown) =>
      named.map((one, at) => cellOf((row as Record<string, unknown>)[one], types[at] ?? '')),
    );
    return { columns, types, rows: cells, total, truncated: total > cells.length };
  } catch (thrown) {
    const said = firstLine(thrown);
    if (OUTSIDE.test(said)) throw failed('tool_refused', `sql: ${said}`, { subject: 'sql' });
    if (/out of memory|bad_alloc/i.test(said)) throw failed('tool_limit', `sql: ${said}`);
    throw failed('tool_input', `sql: ${said}`, { subject: 'sql' });
  }
}

/** Written in a database of its own, by nothing but our own words: the one that read the query writes nowhere. */
function parquetOf(db: DuckDBBindings, { columns, types, rows, truncated }: Answer): string {
  if (truncated) throw failed('tool_limit', `sql: a file of more than ${MOST_ROWS} rows is not written.`);
  db.reset();
  const connection = db.connect();
  try {
    const file = 'result.parquet';
    // Texts that begin with v, and n for none: nothing is guessed, and an empty text is no missing one.
    const cells = rows.map((row) => row.map((cell) => (cell === null ? 'n' : `v${String(cell as string | number)}`)));
    const named = columns.map((_, at) => `c${at}`);
    db.registerFileText('result.csv', `${writeCells([...cells, named.map(() => 'n')])}\n`);
    const read = `read_csv('result.csv', header=false, delim=',', quote='"', escape='"', columns={${named.map((one) => `'${one}': 'VARCHAR'`).join(', ')}})`;
    const typed = columns.map((name, at) => {
      const value = `CASE WHEN c${at} = 'n' THEN NULL ELSE substr(c${at}, 2) END`;
      return `CAST(${value} AS ${types[at] ?? 'VARCHAR'}) AS "${name.replaceAll('"', '""')}"`;
    });
    db.registerFileBuffer(file, new Uint8Array(0));
    connection.query(
      `COPY (SELECT ${typed.join(', ')} FROM ${read} LIMIT ${rows.length}) TO '${file}' (FORMAT PARQUET)`,
    );
    return toBase64(db.copyFileToBuffer(file));
  } catch (thrown) {
    throw failed('tool_input', `sql: the result is no Parquet: ${firstLine(thrown)}`, { subject: 'out' });
  } finally {
    connection.close();
  }
}

/** As JSON can hold it: what is no number, text or truth value becomes text. */
function plainly(column: string, type: string): string {
  if (/^(?:DECIMAL|REAL|FLOAT)/.test(type)) return `CAST(${column} AS DOUBLE) AS ${column}`;
  if (/^TIMESTAMP/.test(type)) return `replace(CAST(${column} AS VARCHAR), ' ', 'T') AS ${column}`;
  if (/^(?:DOUBLE|BOOLEAN|VARCHAR|U?(?:TINY|SMALL|BIG)INT|U?INTEGER)$/.test(type)) return column;
  return `CAST(${column} AS VARCHAR) AS ${column}`;
}

function cellOf(given: unknown, type: string): unknown {
  // Sums of whole numbers: read from their text.
  const value = type === 'HUGEINT' && typeof given === 'string' ? BigInt(given) : given;
  if (typeof value === 'bigint') return value <= MOST_EXACT && value >= -MOST_EXACT ? Number(value) : value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return value ?? null;
}

const firstLine = (thrown: unknown): string => messageOf(thrown).split('\n', 1)[0]?.slice(0, 500) ?? '';
