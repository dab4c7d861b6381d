/** Workers of pdf.js, kept from one file to the next. */
import { expect, test } from 'vitest';
import { keptWorkers } from '#adapters/pdf/kept-workers.ts';

/** @param begins whether the worker of this number does */
function machine(begins: (number: number) => boolean = () => true) {
  const ended: number[] = [];
  const timers = new Map<number, () => void>();
  const all: EventTarget[] = [];
  let [opened, timer] = [0, 0];
  const workers = keptWorkers(
    () => {
      opened += 1;
      const number = opened;
      const worker = new EventTarget();
      all.push(worker);
      if (begins(number)) queueMicrotask(() => worker.dispatchEvent(new Event('message')));
      return Object.assign(worker, { number, terminate: () => void ended.push(number) }) as unknown as Worker;
    },
    (work) => {
      timer += 1;
      const mine = timer;
      timers.set(mine, work);
      return () => void timers.delete(mine);
    },
  );
  const passes = (): void => {
    for (const [id, work] of [...timers]) {
      timers.delete(id);
      work();
    }
  };
  const says = (number: number): void => void all[number - 1]?.dispatchEvent(new Event('message'));
  return { workers, ended, passes, says, opened: () => opened };
}

test('DOCUMENT-92 one worker reads small files one after another, and ends when nobody wants it', async () => {
  const { workers, ended, passes, opened } = machine();
  for (let file = 0; file < 40; file++) (await workers.take()).giveBack(2_000, true);
  expect([opened(), ended]).toEqual([1, []]);
  passes();
  expect(ended).toEqual([1]);
  (await workers.take()).giveBack(2_000, true);
  expect(opened()).toBe(2);
});

test('DOCUMENT-92 it ends after a file that could not be read, after a large one, and after many', async () => {
  const { workers, ended, opened } = machine();
  (await workers.take()).giveBack(2_000, false);
  (await workers.take()).giveBack(100_000_000, true);
  expect(ended).toEqual([1, 2]);
  for (let file = 0; file < 120; file++) (await workers.take()).giveBack(2_000, true);
  expect([opened(), ended]).toEqual([5, [1, 2, 3, 4]]);
});

test('DOCUMENT-92 two files at once have a worker each, and both go on; of three one ends', async () => {
  const { workers, ended, passes, opened } = machine();
  for (let round = 0; round < 10; round++) {
    const [before, after] = [await workers.take(), await workers.take()];
    after.giveBack(2_000, true);
    before.giveBack(2_000, true);
  }
  expect([opened(), ended]).toEqual([2, []]);
  const three = [await workers.take(), await workers.take(), await workers.take()];
  for (const one of three) one.giveBack(2_000, true);
  expect([opened(), ended]).toEqual([3, [3]]);
  passes();
  expect(ended.toSorted()).toEqual([1, 2, 3]);
});

test('DOCUMENT-108 where a worker does not begin another is begun, and after three the reason is said', async () => {
  const second = machine((number) => number === 2);
  const taken = second.workers.take();
  second.passes();
  (await taken).giveBack(2_000, true);
  expect([second.opened(), second.ended]).toEqual([2, [1]]);

  const slow = machine(() => false);
  const late = slow.workers.take();
  slow.passes();
  expect([slow.opened(), slow.ended]).toEqual([2, []]);
  slow.says(1);
  (await late).giveBack(2_000, true);
  expect(slow.ended).toEqual([2]);

  const none = machine(() => false);
  const never = expect(none.workers.take()).rejects.toThrow('does not start here');
  for (let tries = 0; tries < 3; tries++) {
    none.passes();
    await new Promise((done) => setImmediate(done));
  }
  await never;
  expect([none.opened(), none.ended]).toEqual([3, [1, 2, 3]]);
});
