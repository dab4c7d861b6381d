/** Parts of an episode or film that is split: `Part 2`, `CD1`, `pt1`, `(2)` is none. */
import { numberOf, NUMBER_WORD } from '../number-words.ts';

export interface PartMark {
  start: number;
  end: number;
  part: number;
  /** A disc or a volume: it counts pieces of a release, not of an episode. */
  kind: 'part' | 'disc' | 'volume';
}

const PART = new RegExp(
  `(?<!\\p{L})(part|pt|parte|partie|teil|часть|cd|disc|disk|dvd|vol|volume|d(?=\\d[ ._]))[\\s._-]{0,2}(\\d{1,2}|${NUMBER_WORD}|[ivx]{1,4})(?:[ ._]?v\\d)?(?:[\\s]?(?:of|-|&)[\\s]?\\d{1,2})?(?![\\p{L}\\p{N}])`,
  'giu',
);

/** All parts, discs and volumes that a name counts, in order. */
export function findParts(text: string): PartMark[] {
  const found: PartMark[] = [];
  for (const match of text.matchAll(PART)) {
    const part = numberOf(match[2] ?? '');
    const word = (match[1] ?? '').toLowerCase();
    if (part === null || part === 0 || part > 60) continue;
    const kind = /^(?:cd|dis|dvd|d$)/.test(word) ? 'disc' : word.startsWith('vol') ? 'volume' : 'part';
    found.push({ start: match.index, end: match.index + match[0].length, part, kind });
  }
  return found;
}
