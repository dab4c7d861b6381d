/** Small models that are bound to JSON may write white space for ever: it is allowed between any two tokens. */

/** Characters. No answer of ours has so many in a row. */
const MOST = 200;

export interface PaddingWatch {
  /** Whether the text so far ends in a run that is too long. */
  feed(text: string): boolean;
}

export function createPaddingWatch(): PaddingWatch {
  let run = 0;
  return {
    feed(text) {
      const tail = text.length - text.trimEnd().length;
      run = tail === text.length ? run + tail : tail;
      return run > MOST;
    },
  };
}

/** What was said before the run began: the same, however much of the run had arrived. */
export function withoutPadding(text: string): string {
  const run = new RegExp(`\\s{${MOST},}`).exec(text);
  return run === null ? text.trimEnd() : text.slice(0, run.index);
}
