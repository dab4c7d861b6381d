/**
 * Large requests, so that nobody's keep the others waiting: of one person one at a time, of all people so many bytes at a
 * time, and whoever had a long turn has a pause before the next. Who waits has not been read yet, so that waiting costs no
 * memory.
 */
import { setTimeout as timeout } from 'node:timers/promises';
import { HttpError } from './http-error.ts';

/** Requests of one person that may wait. */
const MOST_WAITING = 16;
/** Seconds after which whoever found no place asks again. */
const ASK_AGAIN_S = 5;
/** A turn up to this long is followed by no pause, milliseconds. */
const SHORT_MS = 250;
/** The longest pause between two large requests of one person, milliseconds. */
const LONGEST_PAUSE_MS = 10_000;

export type Shares = ReturnType<typeof createShares>;

/** @param most bytes of bodies that are worked on at a time; a single one may have more, and is alone then */
export function createShares(
  most: number,
  using = { now: () => performance.now(), wait: (ms: number) => timeout(ms) },
) {
  /** The end of each person's last one, and how many there are. */
  const people = new Map<string, { last: Promise<unknown>; waiting: number }>();
  const turns: { bytes: number; begin: () => void }[] = [];
  let used = 0;

  /** Throws HttpError 429 where too many of this person wait already. */
  async function run<T>(person: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const own = people.get(person) ?? { last: Promise.resolve(), waiting: 0 };
    if (own.waiting >= MOST_WAITING)
      throw new HttpError('rate_limited', 'Too many large requests of yours are under way: send them one by one.', {
        headers: { 'Retry-After': String(ASK_AGAIN_S) },
      });
    people.set(person, own);
    own.waiting += 1;
    const before = own.last;
    let done = (): void => undefined;
    own.last = new Promise<void>((resolve) => (done = resolve));
    await before;
    await room(bytes);
    const begun = using.now();
    try {
      return await work();
    } finally {
      used -= bytes;
      admit();
      const took = using.now() - begun;
      const pause = took <= SHORT_MS ? 0 : Math.min(took, LONGEST_PAUSE_MS);
      const next = (): void => {
        own.waiting -= 1;
        if (own.waiting === 0) people.delete(person);
        done();
      };
      if (pause === 0) next();
      else void using.wait(pause).then(next, next);
    }
  }

  async function room(bytes: number): Promise<void> {
    await new Promise<void>((begin) => {
      turns.push({ bytes, begin });
      admit();
    });
  }

  /** In the order in which they came. */
  function admit(): void {
    for (let next = turns[0]; next !== undefined && (used === 0 || used + next.bytes <= most); next = turns[0]) {
      turns.shift();
      used += next.bytes;
      next.begin();
    }
  }

  return { run };
}
