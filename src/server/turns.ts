import { setImmediate } from 'node:timers/promises';
import { inTurns, sorting } from '#core/steps.ts';

/** So long one work may keep all others waiting at a time, milliseconds. */
const TURN_MS = 5;

/** Long works whose turn is over. */
const waiting: (() => void)[] = [];

/** Of all that wait one goes on in each round of the event loop: however many they are, all others are answered meanwhile. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) afterThisRound();
  });
}

function afterThisRound(): void {
  void setImmediate().then(() => {
    waiting.shift()?.();
    if (waiting.length > 0) afterThisRound();
  });
}

export type Turns = ReturnType<typeof createTurns>;

/**
 * Long work on the event loop in turns, so that others are answered in between: `rest` where a loop of many short steps
 * may pause, `each` for a list.
 */
export function createTurns(ms = TURN_MS) {
  let since = performance.now();

  /** Lets others have their turn when this one is over. */
  async function rest(): Promise<void> {
    if (performance.now() - since < ms) return;
    await nextTurn();
    since = performance.now();
  }

  /** The same for every item, one after the other. */
  async function each<T>(list: Iterable<T>, step: (item: T, at: number) => void): Promise<void> {
    let at = 0;
    for (const item of list) {
      step(item, at);
      at += 1;
      if (performance.now() - since >= ms) await rest();
    }
  }

  /** The items in order, without changing the list. */
  const sorted = <T>(list: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> =>
    inTurns(sorting(list, compare), rest);

  return { rest, each, sorted };
}
