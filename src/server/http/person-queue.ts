/**
 * A fair share of the server for each person: of one person some requests are worked on at a time, the others wait in
 * this person's own queue. So whoever sends thousands at once waits for themselves, and everybody else comes in between.
 */
import { HttpError } from './http-error.ts';

/** Requests of one person that are worked on at a time. */
export const AT_A_TIME = 4;
/** Requests of one person that may wait. */
export const MOST_WAITING = 256;
/** Seconds after which whoever found no place asks again. */
const ASK_AGAIN_S = 1;

export type PersonQueue = ReturnType<typeof createPersonQueue>;

export function createPersonQueue(atATime = AT_A_TIME, mostWaiting = MOST_WAITING) {
  const people = new Map<string, { running: number; waiting: (() => void)[] }>();

  /** Throws HttpError 429 where too many of this person wait already. */
  async function run<T>(person: string, work: () => Promise<T>): Promise<T> {
    const own = people.get(person) ?? { running: 0, waiting: [] };
    people.set(person, own);
    if (own.running < atATime) own.running += 1;
    else if (own.waiting.length >= mostWaiting)
      throw new HttpError('rate_limited', 'Too many requests of yours are under way: send fewer at a time.', {
        headers: { 'Retry-After': String(ASK_AGAIN_S) },
      });
    else await new Promise<void>((begin) => own.waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = own.waiting.shift();
      // The place is handed on.
      if (next) next();
      else if ((own.running -= 1) === 0) people.delete(person);
    }
  }

  return { run };
}
