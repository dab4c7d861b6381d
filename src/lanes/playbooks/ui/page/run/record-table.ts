/** Records of a file as a table; null where its text is none. */
import { isList, isMapping, printed, type Value } from '#lanes/playbooks/core/value.ts';
import { readContent } from '#lanes/playbooks/core/files/contents.ts';

export interface RecordTable {
  columns: string[];
  rows: string[][];
}

export function recordTable(path: string, text: string): RecordTable | null {
  if (!/\.(?:json|jsonl|csv)$/i.test(path)) return null;
  let content: Value;
  try {
    content = readContent(path, text);
  } catch {
    return null;
  }
  if (!isList(content) || content.length === 0) return null;
  const named = new Set(content.flatMap((record) => (isMapping(record) ? Object.keys(record) : ['record'])));
  const columns = [...named];
  const rows = content.map((record) =>
    columns.map((column) => {
      if (!isMapping(record)) return column === 'record' ? printed(record) : '';
      return Object.hasOwn(record, column) ? printed(record[column] ?? null) : '';
    }),
  );
  return { columns, rows };
}
