/**
 * Tables of a file of SQLite, read row by row: as much of the format as a GeoPackage needs (tables with rowids, overflow pages).
 * No SQL, no index, no file beside it (a write-ahead log that was not written back is not read).
 */
import { decodeUtf8 } from '../../utf8.ts';
import { beginsWith } from './bytes.ts';
import { wrong } from './json-forms.ts';

type Value = number | string | Uint8Array | null;

const MAGIC = [...'SQLite format 3\0'].map((character) => character.charCodeAt(0));
const MOST_PAGES = 100_000;

export class SqliteFile {
  readonly #bytes: Uint8Array;
  readonly #data: DataView;
  readonly #page: number;
  readonly #usable: number;
  readonly #tables = new Map<string, { root: number; columns: string[]; key: number }>();

  /** Throws AccessionError `tool_input`. */
  constructor(bytes: Uint8Array) {
    if (!isSqlite(bytes) || bytes.length < 512) throw wrong('is no SQLite file');
    this.#bytes = bytes;
    this.#data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = this.#data.getUint16(16);
    this.#page = size === 1 ? 65_536 : size;
    this.#usable = this.#page - (bytes[20] ?? 0);
    if (this.#page < 512 || this.#data.getUint32(56) > 1) throw wrong('is a SQLite file of a form that is not read');
    for (const [type, name, , root, sql] of this.#rows(1))
      if (type === 'table' && typeof name === 'string' && typeof root === 'number')
        this.#tables.set(name, { root, ...columnsOf(String(sql)) });
  }

  get names(): string[] {
    return [...this.#tables.keys()];
  }

  *table(name: string): Generator<Record<string, Value>> {
    const known = this.#tables.get(name);
    if (known === undefined) return;
    for (const [values, rowid] of this.#records(known.root)) {
      const row = Object.fromEntries(known.columns.map((column, at) => [column, values[at] ?? null]));
      const key = known.columns[known.key];
      if (key !== undefined) row[key] = rowid;
      yield row;
    }
  }

  *#rows(root: number): Generator<Value[]> {
    for (const [values] of this.#records(root)) yield values;
  }

  *#records(root: number): Generator<[Value[], number]> {
    const waiting = [root];
    const seen = new Set<number>();
    while (waiting.length > 0) {
      const page = waiting.pop() ?? 0;
      const start = (page - 1) * this.#page;
      if (page < 1 || start + this.#page > this.#bytes.length || seen.has(page) || seen.size > MOST_PAGES)
        throw wrong('the SQLite file is broken');
      seen.add(page);
      const head = start + (page === 1 ? 100 : 0);
      const kind = this.#bytes[head];
      const count = this.#data.getUint16(head + 3);
      const pointers = head + (kind === 5 ? 12 : 8);
      if (kind === 5) {
        const below = Array.from({ length: count }, (_, i) =>
          this.#data.getUint32(start + this.#data.getUint16(pointers + i * 2)),
        );
        waiting.push(this.#data.getUint32(head + 8), ...below.toReversed());
      } else if (kind === 13)
        for (let i = 0; i < count; i++) yield this.#record(start + this.#data.getUint16(pointers + i * 2));
      else throw wrong('the SQLite file has tables of a form that is not read');
    }
  }

  #record(cell: number): [Value[], number] {
    const [size, afterSize] = varint(this.#bytes, cell);
    const [rowid, from] = varint(this.#bytes, afterSize);
    const body = this.#payload(from, size);
    const [header, first] = varint(body, 0);
    const values: Value[] = [];
    let at = header;
    for (let next = first; next < header;) {
      const [type, after] = varint(body, next);
      next = after;
      const length = lengthOf(type);
      values.push(valueOf(body, at, type, length));
      at += length;
    }
    return [values, rowid];
  }

  /** The rest of a long row is on pages of its own. */
  #payload(from: number, size: number): Uint8Array {
    const most = this.#usable - 35;
    if (size > this.#bytes.length) throw wrong('the SQLite file is broken');
    if (size <= most) return this.#bytes.subarray(from, from + size);
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const fits = least + ((size - least) % (this.#usable - 4));
    const local = fits <= most ? fits : least;
    const whole = new Uint8Array(size);
    whole.set(this.#bytes.subarray(from, from + local));
    let page = this.#data.getUint32(from + local);
    for (let at = local; at < size;) {
      const start = (page - 1) * this.#page;
      if (page < 1 || start + this.#page > this.#bytes.length) throw wrong('the SQLite file is broken');
      const part = Math.min(size - at, this.#usable - 4);
      whole.set(this.#bytes.subarray(start + 4, start + 4 + part), at);
      at += part;
      page = this.#data.getUint32(start);
    }
    return whole;
  }
}

export const isSqlite = (bytes: Uint8Array): boolean => beginsWith(bytes, MAGIC);

function varint(bytes: Uint8Array, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = 0; at < 8; at++) {
    const byte = bytes[from + at] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, from + at + 1];
  }
  return [value * 256 + (bytes[from + 8] ?? 0), from + 9];
}

const WHOLE = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

const lengthOf = (type: number): number => WHOLE[type] ?? (type < 12 ? 0 : Math.floor((type - 12) / 2));

function valueOf(body: Uint8Array, at: number, type: number, length: number): Value {
  if (type === 0 || at + length > body.length) return null;
  if (type >= 12) {
    const bytes = body.subarray(at, at + length);
    return type % 2 === 0 ? bytes : decodeUtf8(bytes);
  }
  if (type === 8 || type === 9) return type - 8;
  const data = new DataView(body.buffer, body.byteOffset + at, length);
  if (type === 7) return data.getFloat64(0);
  if (type === 6) return Number(data.getBigInt64(0));
  let value = (body[at] ?? 0) >= 0x80 ? -1 : 0;
  for (let i = 0; i < length; i++) value = value * 256 + (body[at + i] ?? 0);
  return value;
}

/** Columns of a CREATE TABLE; `key`: the one that is the rowid, -1: none. */
function columnsOf(sql: string): { columns: string[]; key: number } {
  const inner = sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'));
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (const character of inner) {
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"' || character === '`') quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (character === ',' && depth === 0 && quote === '') {
      parts.push(part.trim());
      part = '';
    } else part += character;
  }
  parts.push(part.trim());
  const own = parts.filter((one) => !/^(?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)\b/i.test(one));
  const columns = own.map((one) => /^(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|(\S+))/.exec(one)).map((found) => found?.slice(1).find((name) => name !== undefined) ?? ''); // prettier-ignore
  return { columns, key: own.findIndex((one) => /\bINTEGER\b[^,]*\bPRIMARY\s+KEY\b/i.test(one)) };
}
