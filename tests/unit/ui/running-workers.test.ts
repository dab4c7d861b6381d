import { expect, test, vi } from 'vitest';
import { PAGE_GOES, WORKER_ENDS } from '#adapters/browser/end-with-page.ts';
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

test('JOB-55 all are told, and waited for until each has said that it ends, or broke', async () => {
  const running = new RunningWorkers();
  const done = vi.fn();
  const [one, other] = [makeWorker(), makeWorker()];
  for (const { worker } of [one, other]) running.add(worker);
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

test('JOB-37 one that was taken off is neither told nor ended', async () => {
  const running = new RunningWorkers();
  const { worker, heard } = makeWorker();
  running.add(worker);
  running.delete(worker);
  await running.tell();
  running.end();
  expect(heard).toEqual([]);
});

test('JOB-55 one that is started while the page is left ends before it begins, and one after that the page was not left runs', async () => {
  const running = new RunningWorkers();
  await running.tell();
  const [late, later] = [makeWorker(), makeWorker()];
  running.add(late.worker);
  running.end();
  running.add(later.worker);
  void running.tell();
  expect([late.heard, later.heard]).toEqual([['terminated'], [PAGE_GOES]]);
});
