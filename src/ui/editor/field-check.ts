/** What is wrong with what was typed into a field of the catalog's editor; null: nothing. */

/** Field -> what is wrong with it. A field of a row is `<row key>.<field>`. */
export type DraftErrors = Record<string, string>;

const LONGEST_TEXT = 1000;

/** @param missing what to say of an empty field; null: it may be empty */
export function textProblem(value: string, missing: string | null): string | null {
  if (value.trim() === '') return missing;
  return value.trim().length > LONGEST_TEXT ? `At most ${LONGEST_TEXT} characters.` : null;
}

/** @param words what to say of anything but a whole number from `least` to `most` */
export function wholeProblem(value: string, least: number, words: string, most = 9999): string | null {
  const number = Number(value);
  return /^\d{1,5}$/.test(value.trim()) && number >= least && number <= most ? null : words;
}
