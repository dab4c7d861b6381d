/** VIDEO-34: `a` and `b`, 上 and 下, 前編 and 後編 are parts where two files of one episode differ in them. */
import type { Clue } from './clue.ts';
import type { Found } from './describe.ts';
import { placeKey } from './known-show.ts';

/** Each reads a part's number from a name; null where it says none. */
const READERS: readonly ((stem: string) => number | null)[] = [
  (stem) => letterOf(/\d([a-d])(?=$|[^\p{L}\p{N}])/iu.exec(stem)?.[1]),
  (stem) => eastern(/[集话話回編编篇)\]」』\s\d(（]([上中下前後后])(?=$|[^\p{L}]|[編编篇部集])/u.exec(stem)?.[1]),
  (stem) => numberOf(/[\s._-]\(?(\d)\)?$/.exec(stem)?.[1]),
];

const letterOf = (letter: string | undefined): number | null =>
  letter === undefined ? null : letter.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0) + 1;
const numberOf = (digit: string | undefined): number | null => (digit === undefined ? null : Number(digit));

/** 下 is the third where a 中 stands beside it: order is all that counts. */
function eastern(sign: string | undefined): number | null {
  const at = sign === undefined ? -1 : ['上前', '中', '下後后'].findIndex((signs) => signs.includes(sign));
  return at < 0 ? null : at + 1;
}

/** The parts that names say by themselves, and those that only their neighbours make clear. */
export function partsOf(found: ReadonlyMap<Clue, Found>): Map<Clue, number> {
  const parts = new Map<Clue, number>();
  const places = new Map<string, Clue[]>();
  for (const [clue, one] of found) {
    if (one.class !== 'episode') continue;
    if (clue.reading.part !== null) parts.set(clue, clue.reading.part);
    const key = `${clue.directory}\n${(one.places ?? []).map(placeKey).join()}`;
    if (one.places !== null && one.places.length > 0) places.set(key, [...(places.get(key) ?? []), clue]);
  }
  for (const clues of places.values()) {
    if (clues.length < 2 || clues.some((clue) => parts.has(clue))) continue;
    for (const read of READERS) {
      const said = clues.map(({ stem }) => read(stem.normalize('NFC')));
      const numbers = said.filter((part) => part !== null);
      if (numbers.length < clues.length || new Set(numbers).size < clues.length) continue;
      const ranks = numbers.toSorted((a, b) => a - b);
      for (const [at, clue] of clues.entries()) parts.set(clue, ranks.indexOf(said[at] ?? 0) + 1);
      break;
    }
  }
  return parts;
}

/** A title that is nothing but the word for a part: `pt1`. */
export const isPartWord = (title: string): boolean =>
  /^[\s(]*(?:part|pt|cd|disc|dvd|teil|partie|parte|часть)[\s._-]*\d{1,2}[\s)]*$/iu.test(title);
