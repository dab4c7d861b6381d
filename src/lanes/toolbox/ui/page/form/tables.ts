/** Tables by name, as the form holds them: one text of JSON, `{ name: CSV text or rows }`. */
import { toBase64 } from '#core/toolbox/base64.ts';
import { isRecord } from '#core/agent/tools/tool.ts';

export interface NamedTable {
  name: string;
  text: string;
}

/** One that is empty where there is none yet. */
export function readTables(text: string): NamedTable[] {
  const given: unknown = text.trim() === '' ? {} : JSON.parse(text);
  const tables = Object.entries(isRecord(given) ? given : {}).map(([name, rows]) => ({
    name,
    text: typeof rows === 'string' ? rows : JSON.stringify(rows, null, 1),
  }));
  return tables.length === 0 ? [{ name: 't', text: '' }] : tables;
}

export function writeTables(tables: readonly NamedTable[]): string {
  return JSON.stringify(Object.fromEntries(tables.map(({ name, text }) => [name, rowsOf(text)])));
}

/** Rows of JSON where it is that by now; otherwise the text. */
function rowsOf(text: string): unknown {
  if (!/^\s*(?:\[|\{\s*"(?:parquet|xlsx)"\s*:)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Packages by their file names, as the form holds them. */
export function readWheels(text: string): { name: string; base64: string }[] {
  const given: unknown = text.trim() === '' ? [] : JSON.parse(text);
  return (Array.isArray(given) ? given : []).flatMap((one) =>
    isRecord(one) && typeof one['name'] === 'string' && typeof one['base64'] === 'string'
      ? [{ name: one['name'], base64: one['base64'] }]
      : [],
  );
}

/**
 * A file as the form holds it: text, or JSON with its bytes in base64.
 * @param any whatever it holds; otherwise Parquet and Excel alone come as bytes
 */
export async function textOfFile(file: File, any = false): Promise<string> {
  const isParquet = /\.parquet$/i.test(file.name);
  const isXlsx = /\.xlsx$/i.test(file.name);
  if (!isParquet && !isXlsx && !any) return file.text();
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isParquet) return JSON.stringify({ parquet: toBase64(bytes) });
  if (isXlsx && !any) return JSON.stringify({ xlsx: toBase64(bytes) });
  // A file of bytes has such a one near its beginning.
  return bytes.subarray(0, 1000).includes(0)
    ? JSON.stringify({ base64: toBase64(bytes) })
    : new TextDecoder().decode(bytes);
}

/** `Sales 2024.csv` as SQL can say it: `sales_2024`. */
export function tableName(file: string): string {
  const bare = file.replace(/\.\w+$/, '').toLowerCase().replace(/\W+/g, '_').replace(/^_+|_+$/g, ''); // prettier-ignore
  return /^[a-z_]/.test(bare) ? bare.slice(0, 63) : `t_${bare}`.slice(0, 63);
}
