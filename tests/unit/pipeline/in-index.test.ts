import { expect, test } from 'vitest';
import type { Table } from 'dexie';
import { inIndex } from '#adapters/browser/any-of.ts';

/** A table whose index answers rows without a key where no range is asked for, as WebKit's does in private sessions. */
function privateTable(rows: readonly { id: string; at: number | null }[]) {
  const inRange = (least: number) => rows.filter(({ at }) => at !== null && at >= least).map(({ id }) => id);
  return {
    orderBy: () => rows.map(({ id }) => id),
    where: () => ({ aboveOrEqual: inRange }),
  };
}

test('JOB-59 what has no key in an index is not read by it, also where the browser gives it without a range', () => {
  const table = privateTable([
    { id: 'answered', at: 5 },
    { id: 'open', at: null },
    { id: 'older', at: -5 },
  ]);
  const found = inIndex(table as unknown as Table<{ at: number | null }, string>, 'at');
  expect(found).toEqual(['answered', 'older']);
});
