/** Tables as CSV (RFC 4180), safe to be opened in a spreadsheet. */

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A cell that a spreadsheet would run gets a `'` in front (OWASP, CSV injection). */
const guarded = (text: string): string => (/^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Each row is a line; the header is the first row. */
export function csvOf(rows: Iterable<readonly string[]>): string {
  let text = '';
  for (const cells of rows) text += `${cells.map((cell) => quoted(guarded(cell))).join(',')}\n`;
  return text;
}
