/** Short texts that are kept beyond the piece of the document that they were cut from. */
export class Strings {
  readonly #kept = new Map<string, string>();

  /** The text, once for all that are alike; what is kept does not hold the piece that it was cut from. */
  keep(text: string): string {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    // A slice of a text keeps the whole of it in memory; what is put together anew does not.
    const own = text.length < 13 ? text : [...text].join('');
    this.#kept.set(own, own);
    return own;
  }
}
