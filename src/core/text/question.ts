/**
 * What a question to an index of words may cost, and how its words are weighed: one set of numbers for the index in
 * columns and for the server's tables, so that both give the same answers.
 */

/** Longest question that search takes, characters. */
export const MAX_QUESTION = 500;
/** Words of a question that are looked up. */
export const MAX_WORDS = 12;
/** Terms compared letter by letter, chosen by how many three-letter parts they share with the word. */
export const CLOSE_TERMS = 60;
/** So many of those that share parts are looked at for them. */
export const SHARING_TERMS = CLOSE_TERMS * 4;
/**
 * A part that more terms have is common: of its terms only those are looked at that begin with the word's first two
 * letters. So a word costs the same in a vocabulary that somebody filled with words of few letters.
 */
export const COMMON_PART = 500;
/** Terms that a word's beginning may be short for. */
export const PREFIX_TERMS = 40;
/** Letters of a word from which on it may be a beginning. */
export const LEAST_BEGINNING = 2;
/** Entities taken for the rarest word. A word more common than that is only used to tell candidates apart. */
export const MOST_PER_WORD = 2000;
/** Candidates that are loaded and rescored. */
export const MOST_RESCORED = 120;

/** Three neighbouring characters each, the edges marked: terms that differ by a typo share some of them. */
export function grams(term: string): string[] {
  const padded = `^${term}$`;
  const all = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at += 1) all.add(padded.slice(at, at + 3));
  return [...all];
}

/** Parts that a term must share with a word to be within reach of it: one edit touches three at most. */
export const leastShared = (parts: number, edits: number): number => Math.max(1, parts - 3 * edits);

/** How much a word finds a candidate by. @param frequency entities that have a term it may mean */
export const candidateWeight = (frequency: number): number => 1 / Math.log2(2 + frequency);

/** How telling a word is where candidates are ranked. */
export const rankWeight = (frequency: number): number => 1 / Math.log2(3 + frequency);
