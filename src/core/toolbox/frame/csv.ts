/** Rows as CSV: what holds a separator is quoted. */
export function writeCells(rows: readonly (readonly unknown[])[]): string {
  const said = (cell: unknown): string => {
    const text = cell === null || cell === undefined ? '' : String(cell as string | number | boolean);
    return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(said).join(',')).join('\n');
}
