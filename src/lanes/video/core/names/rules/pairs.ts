/** Two numbers without a word between them: season and episode (`2-06`, `6.01`, `11_06`), or two episodes (`13-15`)? */
import type { Claim } from './rule.types.ts';

export interface PairContext {
  text: string;
  mask: Uint8Array;
  from: number;
  fanRelease: boolean;
  hasYear: boolean;
  /** Season that the folder says; two numbers in it are episodes. */
  inSeason: number | null;
}

const PAIR = /(?<![\p{L}\p{N}]|(?<!(?:19|20)\d)\d[._-])(\d{1,2})([-._])(\d{1,2})(?![\p{L}\p{N}%]|[._-]\d)/gu;

/** The pair that says season and episode, or null. */
export function findPair(context: PairContext): Claim | null {
  const { text, mask, from } = context;
  if (context.inSeason !== null || context.fanRelease) return null;
  PAIR.lastIndex = 0;
  for (let match = PAIR.exec(text); match !== null; match = PAIR.exec(text)) {
    const start = match.index;
    if (mask[start] === 1) continue;
    const [season, episode] = [Number(match[1]), Number(match[3])];
    if (season < 1 || season > 40 || episode === 0) continue;
    const end = start + match[0].length;
    const [before, after] = [text.slice(start < from ? 0 : from, start), text.slice(end)];
    const atStart = before.trim() === '';
    const bracketed = /[[(]$/.test(before) && /^[\])]/.test(after);
    const ends = /^(?:[\s._-]*f)?[\s._-]*$/i.test(after);
    const dated = /^[\s._-]+(?:19|20)\d\d[ ._-]\d/.test(after);
    if (context.hasYear && !bracketed && !(dated && atStart)) continue;
    const sign = match[2];
    // One digit alone is an episode only where its date follows it.
    if (match[3]?.length === 1 && !(dated && atStart)) continue;
    const fits =
      (bracketed && sign === '.') ||
      (sign === '-' &&
        ((atStart && /^(?:[.\s]|$)/.test(after) && (match[1]?.length === 1 || episode > season + 8)) ||
          (ends && /[\p{L}\d][\s._-]$/u.test(before) && / $/.test(before)))) ||
      (sign === '_' && ends) ||
      (sign === '.' &&
        ((atStart && /^\s-\s/.test(after)) ||
          (/-\s$/.test(before) && /^\s-\s/.test(after)) ||
          (ends && !/\s/.test(text.slice(from).trim())))) ||
      (dated && atStart);
    if (!fits) continue;
    return {
      rule: 'pair',
      start,
      end,
      strength: 0.6,
      season: [season],
      episodes: [episode],
      absolute: [],
      version: null,
      reason: `"${match[0]}" can be season ${season} and episode ${episode}.`,
    };
  }
  return null;
}
