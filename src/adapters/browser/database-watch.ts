/**
 * Whether the database answers. A page or a worker that was left in the middle of a step may hold it for ever (in WebKit,
 * docs/PERFORMANCE.md): then nothing that is stored can be read in any page, and only this says so.
 */

/** Milliseconds from a question to the word that nothing answers: far beyond the longest step of ours. */
const LIMIT_MS = 10_000;
/** Milliseconds from an answer to the next question. */
const PAUSE_MS = 15_000;

export interface DatabaseWatch {
  /** Reads something small; rejects where the database is closed, which is an answer. */
  read: () => Promise<unknown>;
  /** Told of every change: false when nothing answers, true when it answers again. */
  say: (answers: boolean) => void;
  /** Calls back after so many milliseconds. Answers what takes that back. */
  after: (ms: number, run: () => void) => () => void;
}

/** Asks at once and then again and again, as long as the page lives. */
export function watchDatabase({ read, say, after }: DatabaseWatch): void {
  let answers = true;
  const change = (now: boolean): void => {
    if (now !== answers) say(now);
    answers = now;
  };
  const look = (): void => {
    const stopWaiting = after(LIMIT_MS, () => change(false));
    const answered = (): void => {
      stopWaiting();
      change(true);
      after(PAUSE_MS, look);
    };
    read().then(answered, answered);
  };
  look();
}
