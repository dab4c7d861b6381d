import { expect, test, vi } from 'vitest';
import { LEAVING_LOCK, onLeaving } from '#ui/client/leaving.ts';
import { keepingNoPage, pagesAreLeft } from '../../../src/service-worker/pages-are-left.ts';

/** A page whose events are dispatched here, and whose clock goes when it is told to. */
function makePage() {
  const page = new EventTarget();
  const done: string[] = [];
  const timers: { at: number; run: () => void }[] = [];
  let now = 0;
  const pass = (ms: number): void => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    for (const timer of due) timers.splice(timers.indexOf(timer), 1);
    for (const { run } of due) run();
  };
  const workers = Promise.withResolvers<null>();
  onLeaving(page, {
    tell: () => {
      done.push('told');
      return workers.promise;
    },
    end: () => done.push('ended'),
    workOn: () => done.push('works on'),
    reload: () => done.push('loaded anew'),
    hold: (until) => {
      done.push('held');
      void until.then(() => done.push('let go'));
    },
    after: (ms, run) => timers.push({ at: now + ms, run }),
  });
  const say = (type: string, persisted = false): void => {
    const event = new Event(type, { cancelable: true });
    page.dispatchEvent(Object.assign(event, { persisted }));
  };
  return { page, done, pass, say, workersEnd: () => workers.resolve(null) };
}

test('JOB-55 workers are told to end before the next page is there, and one that is not left after all works on', async () => {
  const { done, pass, say, workersEnd } = makePage();
  say('beforeunload');
  pass(0);
  expect(done).toEqual(['held', 'told']);
  workersEnd();
  await vi.waitFor(() => expect(done).toEqual(['held', 'told', 'let go']));
  pass(29_999);
  expect(done).toHaveLength(3);
  pass(1);
  expect(done.slice(3)).toEqual(['works on']);
});

test('JOB-55 a worker that does not end holds the next page back for fifteen seconds', async () => {
  const { done, pass, say } = makePage();
  say('beforeunload');
  pass(0);
  pass(14_999);
  await Promise.resolve();
  expect(done).toEqual(['held', 'told']);
  pass(1);
  await vi.waitFor(() => expect(done).toEqual(['held', 'told', 'let go']));
});

test('JOB-55 the service worker waits for that, and no longer than fifteen seconds', async () => {
  const asked: unknown[] = [];
  const locks = (answer: Promise<unknown>) => ({
    request: (...args: unknown[]) => {
      asked.push(args[0]);
      return answer;
    },
  });
  await pagesAreLeft(locks(Promise.resolve()) as unknown as LockManager);
  await pagesAreLeft(locks(Promise.reject(new DOMException('late', 'TimeoutError'))) as unknown as LockManager);
  await pagesAreLeft(undefined);
  expect(asked).toEqual([LEAVING_LOCK, LEAVING_LOCK]);
});

test('JOB-57 what the service worker answers is the page as it is, and says that neither the one that is left nor this answer is kept', async () => {
  const page = new Response('<p>the page', { status: 200, headers: { 'content-type': 'text/html', 'x-more': '1' } });
  const answer = await keepingNoPage(Promise.resolve(page));
  expect([answer.status, await answer.text()]).toEqual([200, '<p>the page']);
  const said = {
    'content-type': 'text/html',
    'x-more': '1',
    'clear-site-data': '"cache"',
    'cache-control': 'no-store',
  };
  expect(Object.fromEntries(answer.headers)).toEqual(said);
});

test('JOB-55 while a person is asked whether to stay no worker ends', async () => {
  const { page, done, pass, say } = makePage();
  page.addEventListener('beforeunload', (event) => event.preventDefault());
  say('beforeunload');
  pass(60_000);
  await vi.waitFor(() => expect(done).toEqual(['held', 'let go']));
  // They leave.
  say('pagehide');
  expect(done.slice(2)).toEqual(['told']);
});

test('JOB-36, JOB-37 a page that is kept ends its workers at once and starts anew when it is shown; another one tells them', () => {
  const { done, say } = makePage();
  say('pageshow');
  say('pagehide', true);
  say('pageshow', true);
  say('pagehide');
  expect(done).toEqual(['ended', 'loaded anew', 'told']);
});

test('JOB-55 a page that has gone starts no workers, however late', () => {
  const { done, pass, say } = makePage();
  say('beforeunload');
  pass(0);
  say('pagehide', true);
  pass(30_000);
  expect(done).toEqual(['held', 'told', 'ended']);
});
