/** What a column of JSON values is, in words of SQL. */
export function typeOf(column: readonly unknown[]): string {
  const there = column.filter((one) => one !== null);
  if (there.length > 0 && there.every((one) => typeof one === 'number'))
    return there.every(Number.isInteger) ? 'BIGINT' : 'DOUBLE';
  return there.length > 0 && there.every((one) => typeof one === 'boolean') ? 'BOOLEAN' : 'VARCHAR';
}
