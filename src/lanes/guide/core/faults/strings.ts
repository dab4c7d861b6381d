/** Short texts that are kept beyond the piece of the document that they were cut from. */

/** The text without the piece that it was cut from, which a slice of it, or what is put together of slices, holds in memory. */
export const ownText = (text: string): string => (text.length < SLICED ? text : [...text].join(''));

/** Shorter texts are copied when they are cut out: characters. */
const SLICED = 13;

export class Strings {
  readonly #kept = new Map<string, string>();

  /** The text, once for all that are alike. */
  keep(text: string): string {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const own = ownText(text);
    this.#kept.set(own, own);
    return own;
  }
}
