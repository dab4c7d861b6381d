const titles = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The order of titles and names in lists: without regard to case, numbers by value, "The Beatles" under B. */
export function byTitle(a: string, b: string): number {
  return titles.compare(bare(a), bare(b));
}

function bare(title: string): string {
  return title.replace(/^the\s+/i, '');
}
