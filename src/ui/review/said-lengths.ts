import { clock } from '#core/text/duration.ts';

/** UI-262: a stored question's words as a person reads lengths: `(200s)` is `(3:20)`. */
export const saidLengths = (words: string): string =>
  words.replace(/\((\d{1,6})s\)/g, (_, seconds: string) => `(${clock(Number(seconds) * 1000)})`);
