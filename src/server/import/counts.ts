import type { ImportCounts } from '#core/sync/protocol.ts';

/** What came of `all` rows of a file, of which these were written. */
export function countWrites(all: number, writes: readonly { before: object | null }[]): ImportCounts {
  const created = writes.filter(({ before }) => before === null).length;
  return { created, updated: writes.length - created, unchanged: all - writes.length };
}
