import { expect, test, vi } from 'vitest';
import { PAGE_GOES, WORKER_BEGINS, WORKER_ENDS } from '#adapters/browser/end-with-page.ts';
import { RunningWorkers, type RunningWorker } from '#ui/client/running-workers.ts';

/** A worker that says what it is told to say. */
function makeWorker() {
  const target = new EventTarget();
  const heard: string[] = [];
  const worker: RunningWorker = {
    addEventListener: (type: string, listener: unknown) => target.addEventListener(type, listener as EventListener),
    postMessage: (message) => heard.push(message),
    terminate: () => heard.push('terminated'),
  };
  const say = (data: string): unknown => target.dispatchEvent(new MessageEvent('message', { data }));
  return { worker, heard, say, fail: () => target.dispatchEvent(new Event('error')) };
}

function make() {
  const timers: (() => void)[] = [];
  const running = new RunningWorkers((_ms, run) => timers.push(run));
  const done = vi.fn();
  return { running, done, pass: () => timers.splice(0).forEach((run) => run()) };
}

test('JOB-55 all that run are told, and waited for until each has said that it ends, or broke', async () => {
  const { running, done, pass } = make();
  const [one, other] = [makeWorker(), makeWorker()];
  for (const { worker, say } of [one, other]) {
    running.add(worker);
    say(WORKER_BEGINS);
  }
  void running.tell().then(done);
  expect([one.heard, other.heard]).toEqual([[PAGE_GOES], [PAGE_GOES]]);
  pass();
  one.say(WORKER_ENDS);
  await Promise.resolve();
  expect(done).not.toHaveBeenCalled();
  other.fail();
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  expect([one.heard, other.heard]).toEqual([[PAGE_GOES], [PAGE_GOES]]);
  // Only what was not seen to end is ended at once.
  running.end();
  expect([one.heard, other.heard]).toEqual([[PAGE_GOES], [PAGE_GOES, 'terminated']]);
});

test('JOB-58 one that is only being loaded is ended, unless it says meanwhile that it runs', async () => {
  const { running, done, pass } = make();
  const [loading, late] = [makeWorker(), makeWorker()];
  for (const { worker } of [loading, late]) running.add(worker);
  void running.tell().then(done);
  late.say(WORKER_BEGINS);
  pass();
  expect([loading.heard, late.heard]).toEqual([[PAGE_GOES, 'terminated'], [PAGE_GOES]]);
  await Promise.resolve();
  expect(done).not.toHaveBeenCalled();
  late.say(WORKER_ENDS);
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
});

test('JOB-37 one that was taken off is neither told nor ended', async () => {
  const { running } = make();
  const { worker, heard } = makeWorker();
  running.add(worker);
  running.delete(worker);
  await running.tell();
  running.end();
  expect(heard).toEqual([]);
});
