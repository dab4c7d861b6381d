import { compactKey, foldText, leetKey } from '#core/text/fold.ts';
import { tidy } from './names.ts';
import { editSimilarity } from '#core/text/similarity.ts';

/** What most names of a batch begin or end with is artist, album or noise; the rest is title. */
export interface Affix {
  /** The name without what is common. */
  rest: string;
  /** What is common, as it stands in this name. */
  common: string;
}

const MOST = 0.7;

/**
 * Splits names of a batch (three or more) into common and own words. Words are compared with damage allowed, because
 * `Poldor`, `Pldor` and `Poldoor` are one artist.
 */
export function commonAffixes(bases: readonly string[]): (Affix | null)[] {
  if (bases.length < 3) return bases.map(() => null);
  const words = bases.map((base) =>
    tidy(base.replace(/-/g, ' - '))
      .split(' ')
      .filter((word) => /[\p{L}\p{N}]/u.test(word)),
  );
  const keys = words.map((list) => list.map((word) => leetKey(compactKey(foldText(word)))));
  const front = commonRun(words, keys, (list, i) => list[i], 0);
  const back = commonRun(words, keys, (list, i) => list[list.length - 1 - i], front);
  if (front === 0 && back === 0) return bases.map(() => null);
  return words.map((list) => {
    const from = Math.min(front, Math.max(0, list.length - 1));
    const to = Math.max(from, list.length - back);
    let own = list.slice(from, to);
    // A number that heads the own words is the track number.
    if (own.length > 1 && /^\d{1,3}$/.test(own[0] ?? '')) own = own.slice(1);
    const common = [...list.slice(0, from), ...list.slice(to)].filter((word) => !/^\d{1,3}$/.test(word));
    return { rest: own.join(' '), common: common.join(' ') };
  });
}

/** How many words from one end are common to most names; a column of counting numbers is passed over. */
function commonRun(
  words: string[][],
  keys: string[][],
  at: (list: string[], i: number) => string | undefined,
  taken: number,
): number {
  let run = 0;
  for (let i = 0; i < 12; i++) {
    const column = keys.map((list) => (list.length - taken > i + 1 ? at(list, i) : undefined));
    const numbers = words.filter((list) => /^[A-Da-d]?\d{1,3}$/.test(at(list, i) ?? '')).length;
    if (numbers >= words.length * MOST) continue;
    const present = column.filter((key) => key !== undefined && key !== '');
    if (present.length < words.length * MOST) break;
    const modal = mode(present as string[]);
    const agreeing = present.filter(
      (key) => key === modal || (modal.length >= 4 && editSimilarity(key as string, modal) >= 0.6),
    ).length;
    if (agreeing < words.length * MOST) break;
    run = i + 1;
  }
  return run;
}

function mode(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
}
