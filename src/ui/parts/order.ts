/** The order of rows in lists. Collators are made once: a comparison that makes its own costs many times as much. */

/** Numbers by value: `2.mp3` before `10.mp3`. */
export const IN_ORDER = new Intl.Collator(undefined, { numeric: true });

/** By arrival, and what arrived in one moment by name: ids say nothing of either. */
export function byArrival<T extends { created_at: number; id: string }>(
  nameOf: (row: T) => string,
): (a: T, b: T) => number {
  return (a, b) => a.created_at - b.created_at || IN_ORDER.compare(nameOf(a), nameOf(b)) || (a.id < b.id ? -1 : 1);
}

const titles = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The order of titles and names in lists: without regard to case, numbers by value, "The Beatles" under B. */
export function byTitle(a: string, b: string): number {
  return titles.compare(bare(a), bare(b));
}

function bare(title: string): string {
  return title.replace(/^the\s+/i, '');
}
