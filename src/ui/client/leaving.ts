/**
 * When the workers of a page end. They end with it, whatever they do goes on from its last step in another page.
 *
 *   beforeunload  they are told to end, and the service worker holds the next page back until they have, and until the page
 *                 itself has nothing open in the database
 *   (still here)  the page was not left after all: others are started
 *   pagehide      whoever is left is told again; in a page that is kept for the Back button it is ended at once
 *   pageshow      a kept page is shown again: it starts anew
 *
 * WebKit stops the workers of a page that has gone in the middle of whatever they do, and a transaction of theirs that
 * waits for its turn then holds the database for ever (docs/PERFORMANCE.md).
 */

/** The lock that a page holds from when it is to be left until its workers have ended (src/service-worker). */
export const LEAVING_LOCK = 'accession-leaving';
/** Milliseconds that the next page waits for the workers of the one before it. */
export const LEAVING_MS = 15_000;
/** Milliseconds until a page that was to be left and is still here works on. */
const STAYED_MS = 30_000;

export interface Leaving {
  /** Tells the workers that their page goes; resolves when they have ended, and nothing is open in the database. */
  tell: () => Promise<unknown>;
  /** Ends them at once. */
  end: () => void;
  /** Starts others: the page was not left. */
  workOn: () => void;
  /** Loads the page anew. */
  reload: () => void;
  /** Holds the lock until this is settled. */
  hold: (until: Promise<unknown>) => void;
  /** Calls back after so many milliseconds. */
  after: (ms: number, run: () => void) => void;
}

/** What of a window is needed. */
export type LeftPage = Pick<EventTarget, 'addEventListener'>;

export function onLeaving(page: LeftPage, { tell, end, workOn, reload, hold, after }: Leaving): void {
  let gone = false;
  page.addEventListener('beforeunload', (event) => {
    const left = Promise.withResolvers<unknown>();
    hold(left.promise);
    // Whoever asks the person whether to stay is heard first; until they have said so, nothing ends.
    after(0, () => {
      if (event.defaultPrevented) return left.resolve(undefined);
      void tell().then(left.resolve);
      after(LEAVING_MS, () => left.resolve(undefined));
      // A page that is kept has its timers with it.
      after(STAYED_MS, () => {
        if (!gone) workOn();
      });
    });
  });
  page.addEventListener('pagehide', (event) => {
    gone = true;
    // One of a page that is kept would be put to sleep before it has read what it is told.
    if (isKept(event)) end();
    else void tell();
  });
  page.addEventListener('pageshow', (event) => {
    if (isKept(event)) reload();
  });
}

const isKept = (event: Event): boolean => 'persisted' in event && event.persisted === true;
