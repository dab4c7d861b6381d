import { expect, test, vi } from 'vitest';
import { PAGE_GOES, WORKER_ENDS } from '#adapters/browser/end-with-page.ts';
import { RunningWorkers, type RunningWorker } from '#ui/client/running-workers.ts';

/** What is done later, by hand. */
function makeRunning(): { running: RunningWorkers; pass: () => void } {
  const later: (() => void)[] = [];
  const running = new RunningWorkers((_ms, run) => later.push(run));
  return { running, pass: () => later.splice(0).forEach((run) => run()) };
}

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

test('JOB-55 all are told, and waited for until each has said that it ends, or broke', async () => {
  const { running } = makeRunning();
  const done = vi.fn();
  const [one, other] = [makeWorker(), makeWorker()];
  for (const { worker } of [one, other]) void running.add(worker);
  void running.tell().then(done);
  expect([one.heard, other.heard]).toEqual([[PAGE_GOES], [PAGE_GOES]]);
  one.say('something of its work');
  one.say(WORKER_ENDS);
  await Promise.resolve();
  expect(done).not.toHaveBeenCalled();
  other.fail();
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  // Only what was not seen to end is ended at once.
  running.end();
  expect([one.heard, other.heard]).toEqual([[PAGE_GOES], [PAGE_GOES, 'terminated']]);
});

test('JOB-37 one that is not wanted any more ends by itself, or is stopped; the page waits for it until then', async () => {
  const { running, pass } = makeRunning();
  const [hears, computes] = [makeWorker(), makeWorker()];
  const ended = [hears, computes].map(({ worker }) => running.add(worker));
  for (const { worker } of [hears, computes]) running.stop(worker);
  hears.say(WORKER_ENDS);
  await ended[0];
  expect([hears.heard, computes.heard]).toEqual([[PAGE_GOES], [PAGE_GOES]]);
  const done = vi.fn();
  void running.tell().then(done);
  await Promise.resolve();
  expect(done).not.toHaveBeenCalled();
  pass();
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  expect([hears.heard, computes.heard]).toEqual([[PAGE_GOES], [PAGE_GOES, PAGE_GOES, 'terminated']]);
});

test('JOB-55 one that is started while the page is left ends before it begins, and one after that the page was not left runs', async () => {
  const { running } = makeRunning();
  await running.tell();
  const [late, later] = [makeWorker(), makeWorker()];
  await running.add(late.worker);
  running.end();
  void running.add(later.worker);
  void running.tell();
  expect([late.heard, later.heard]).toEqual([['terminated'], [PAGE_GOES]]);
});
