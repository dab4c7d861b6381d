/** Parameters one statement may carry; SQLite takes 32,766 and PostgreSQL 65,535. */
const MAX_PARAMETERS = 20_000;

/** Cuts a list so that each part fits into one statement. @param width parameters a row needs */
export function* chunks<T>(rows: readonly T[], width = 1, most = 1000): Generator<T[]> {
  const size = Math.max(1, Math.min(most, Math.floor(MAX_PARAMETERS / width)));
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}
