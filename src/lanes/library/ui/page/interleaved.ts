/** Two ranked lists as one, by turns: their scores are of different libraries and say nothing about each other. */
export function interleaved<T>(one: readonly T[], other: readonly T[], most: number): T[] {
  const all: T[] = [];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1)
    for (const list of [one, other]) {
      const next = list[at];
      if (next !== undefined) all.push(next);
    }
  return all.slice(0, most);
}
