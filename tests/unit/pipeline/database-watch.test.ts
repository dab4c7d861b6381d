import { expect, test } from 'vitest';
import { watchDatabase } from '#adapters/browser/database-watch.ts';

/** A database whose answers the test gives, and a clock that it moves. */
class Held {
  readonly said: boolean[] = [];
  asked = 0;
  #answer: (() => void) | null = null;
  #timers: { at: number; run: () => void }[] = [];
  #now = 0;

  watch(fails = false): void {
    watchDatabase({
      read: () => {
        this.asked++;
        return new Promise<void>((done, fail) => {
          this.#answer = () => (fails ? fail(new Error('closed')) : done());
        });
      },
      say: (answers) => this.said.push(answers),
      after: (ms, run) => {
        const timer = { at: this.#now + ms, run };
        this.#timers.push(timer);
        return () => (this.#timers = this.#timers.filter((one) => one !== timer));
      },
    });
  }

  async answer(): Promise<void> {
    this.#answer?.();
    await Promise.resolve();
    await Promise.resolve();
  }

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
  }
}

test('UI-154 a database that does not answer is said once after ten seconds, and no more as soon as it answers', async () => {
  const held = new Held();
  held.watch();
  held.pass(9_999);
  expect(held.said).toEqual([]);
  held.pass(1);
  held.pass(60_000);
  expect(held.said).toEqual([false]);
  await held.answer();
  expect(held.said).toEqual([false, true]);
});

test.each([false, true])(
  'UI-154 one that answers is asked again later, and nothing is said (closed: %s)',
  async (closed) => {
    const held = new Held();
    held.watch(closed);
    for (let round = 1; round <= 3; round++) {
      expect(held.asked).toBe(round);
      held.pass(5_000);
      await held.answer();
      held.pass(15_000);
    }
    expect(held.said).toEqual([]);
  },
);
