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
