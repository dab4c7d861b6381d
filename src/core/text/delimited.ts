/** Records of CSV and TSV with their places in the text: RFC 4180, and what spreadsheets make of it. */

export interface TextRecord {
  cells: string[];
  /** In the text, UTF-16 units; the end is not part of it. */
  start: number;
  end: number;
}

/** Empty lines are no records. A quote that is never closed ends with the text. */
export function* delimitedRecords(text: string, delimiter: string): Generator<TextRecord> {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const start = at;
    const cells: string[] = [];
    for (;;) {
      const cell = cellAt(text, at, delimiter);
      cells.push(cell.text);
      at = cell.end;
      if (text[at] !== delimiter) break;
      at += 1;
    }
    const end = at;
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    if (cells.length > 1 || cells[0]?.trim() !== '') yield { cells, start, end };
  }
}

function cellAt(text: string, from: number, delimiter: string): { text: string; end: number } {
  if (text[from] !== '"') return plainCell(text, from, delimiter);
  let said = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { text: said + text.slice(at), end: text.length };
    said += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') break;
    said += '"';
    at += 1;
  }
  const rest = plainCell(text, at, delimiter);
  return { text: said + rest.text, end: rest.end };
}

function plainCell(text: string, from: number, delimiter: string): { text: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { text: text.slice(from, end).trim(), end };
}

/** What parts the cells: the mark that the first line has most of. */
export function delimiterOf(text: string, path = ''): string {
  if (/\.tsv$/i.test(path)) return '\t';
  const line = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const counts = [',', ';', '\t', '|'].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}
