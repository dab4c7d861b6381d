/** The cage over children that a test holds: what ends one, and what the next call meets. */
import { expect, test } from 'vitest';
import { cageOf, type Child, type ChildEvents } from '#adapters/toolbox/children.ts';
import { USUAL_BOUNDS } from '#core/toolbox/cage.ts';
import { failed } from '#core/errors.ts';

/** Answers at once; one that was given `hang` says nothing, `large` too much. */
function children() {
  const opened: { memoryMb: number; killed: boolean }[] = [];
  const open = (events: ChildEvents, memoryMb: number): Child => {
    const own = { memoryMb, killed: false };
    opened.push(own);
    queueMicrotask(() => events.answer('{"versions":["E 1"]}'));
    return {
      send(line) {
        if (line.includes('hang')) return;
        queueMicrotask(() => (line.includes('large') ? events.tooMuch() : events.answer('{"value":{"a":1}}')));
      },
      memoryMb: () => null,
      allows: (asked) => asked === memoryMb,
      kill: () => (own.killed = true),
    };
  };
  return { opened, cage: cageOf(() => Promise.resolve(open)) };
}

const job = (data: string) => ({ runtime: 'mine' as const, program: 'x', data });

test('TOOLBOX-28 at its bound of time, at too large an answer and when cancelled a child is ended for good; the next call has a new one', async () => {
  const { cage, opened } = children();
  expect(await cage.run(job('hang'), { ...USUAL_BOUNDS, timeMs: 1 })).toMatchObject({
    failure: { code: 'tool_timeout' },
  });
  expect(await cage.run(job('large'), USUAL_BOUNDS)).toMatchObject({ failure: { code: 'tool_limit' } });
  const stop = new AbortController();
  const running = cage.run(job('hang'), USUAL_BOUNDS, stop.signal);
  queueMicrotask(() => stop.abort());
  expect(await running).toMatchObject({ failure: { code: 'cancelled' } });
  expect(await cage.run(job('ok'), USUAL_BOUNDS)).toEqual({ ok: true, value: { value: { a: 1 }, versions: ['E 1'] } });
  expect(opened.slice(0, -1).every(({ killed }) => killed)).toBe(true);
  expect(opened.at(-1)?.killed).toBe(false);
});

test('TOOLBOX-28 a call that may hold another amount of memory has a child of its own', async () => {
  const { cage, opened } = children();
  await cage.run(job('ok'), { ...USUAL_BOUNDS, memoryMb: 100 });
  await cage.run(job('ok'), { ...USUAL_BOUNDS, memoryMb: 100 });
  await cage.run(job('ok'), { ...USUAL_BOUNDS, memoryMb: 200 });
  expect(opened).toEqual([{ memoryMb: 100, killed: true }, { memoryMb: 200, killed: false }]); // prettier-ignore
});

test('TOOLBOX-92 where a browser starts no worker without an origin, it is said so, and where tools compute', async () => {
  const webkit = 'Error: TypeError: Cross-origin script load denied by Cross-Origin Resource Sharing policy.';
  const cage = cageOf(() =>
    Promise.resolve((events) => {
      queueMicrotask(() => events.ended(webkit));
      return { send: () => undefined, memoryMb: () => null, kill: () => undefined };
    }),
  );
  const said: unknown = expect.stringMatching(
    /^This browser starts no program .* Chromium, Edge, Firefox and the terminal/,
  );
  expect(await cage.run(job('ok'), USUAL_BOUNDS)).toMatchObject({
    failure: { code: 'tool_unavailable', message: said },
  });
});

test('TOOLBOX-80 an engine that ran code of somebody is ended with that call, whatever it answered', async () => {
  const { cage, opened } = children();
  expect(await cage.run({ ...job('ok'), free: true }, USUAL_BOUNDS)).toMatchObject({ ok: true });
  expect(await cage.run(job('ok'), USUAL_BOUNDS)).toMatchObject({ ok: true });
  expect(opened.map(({ killed }) => killed)).toEqual([true, false]);
});

test('TOOLBOX-30 an engine that cannot be fetched is unavailable, and tried again by the next call', async () => {
  const { opened } = children();
  let tries = 0;
  const cage = cageOf(() => {
    tries += 1;
    throw failed('tool_unavailable', 'offline');
  });
  for (const _ of [1, 2])
    expect(await cage.run(job('ok'), USUAL_BOUNDS)).toMatchObject({ failure: { code: 'tool_unavailable' } });
  expect([tries, opened.length]).toEqual([2, 0]);
});
