import { distance } from 'fastest-levenshtein';

/** The name that was probably meant; null where none is near. */
export function nearest(said: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(said.length / 3)) + 1;
  for (const name of names) {
    const away = distance(said.toLowerCase(), name.toLowerCase());
    if (away < least) [best, least] = [name, away];
  }
  return best;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(said: string, names: Iterable<string>): string {
  const name = nearest(said, names);
  return name === null ? '' : ` Did you mean "${name}"?`;
}
