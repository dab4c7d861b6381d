import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expose, wrap } from 'comlink';
import { afterEach, expect, test, vi } from 'vitest';
import { serveBeside, startBeside, type BesideScope, type PageWorker } from '#adapters/browser/worker-beside.ts';

const open: MessagePort[] = [];
afterEach(() => open.splice(0).forEach((port) => port.close()));

function pair(): [MessagePort, MessagePort] {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  for (const port of [port1, port2]) port.start();
  return [port1, port2];
}

/** A Worker as a page has it, and what runs in it. */
function fakeWorker(run: (self: MessagePort) => void) {
  const [outside, inside] = pair();
  run(inside);
  const terminate = vi.fn();
  return Object.assign(outside, { terminate }) as unknown as Worker & { terminate: typeof terminate };
}

function page() {
  const transcoders: ReturnType<typeof fakeWorker>[] = [];
  const running = new Set<Worker>();
  const transcode = () => {
    const made = fakeWorker((self) => expose({ double: (n: number) => 2 * n }, self));
    transcoders.push(made);
    return made;
  };
  const [worker, scope] = pair();
  serveBeside(
    worker as unknown as PageWorker,
    { transcode, model: transcode },
    {
      add: (one) => (running.add(one), new Promise(() => undefined)),
      stop: (one) => (running.delete(one), one.terminate()),
    },
  );
  return { worker, scope: scope as unknown as BesideScope, transcoders, running };
}

test('JOB-53 a worker has its page start another one, and speaks with it directly', async () => {
  const { scope, transcoders, running } = page();
  const [first, second] = [startBeside('transcode', scope), startBeside('transcode', scope)];
  for (const { endpoint } of [first, second]) {
    const remote = wrap<{ double(n: number): number }>(await endpoint);
    expect(await remote.double(21)).toBe(42);
  }
  expect(running.size).toBe(2);
  first.terminate();
  await vi.waitFor(() => expect(running.size).toBe(1));
  expect(transcoders.map(({ terminate }) => terminate.mock.calls.length)).toEqual([1, 0]);
});

test('JOB-53 it hears that the other one broke down, and takes it with it when it ends', async () => {
  const { worker, scope, transcoders, running } = page();
  const [first, second] = [startBeside('transcode', scope), startBeside('model', scope)];
  await Promise.all([first.endpoint, second.endpoint]);
  transcoders[0]?.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' }));
  expect((await first.died).message).toBe('out of memory');
  worker.dispatchEvent(Object.assign(new Event('error'), { message: '' }));
  expect(running.size).toBe(0);
  expect(transcoders.every(({ terminate }) => terminate.mock.calls.length === 1)).toBe(true);
});

test('JOB-53 what starts workers is for pages alone', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const starting = ['src', 'workers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((path) => /new Worker\(\s*new URL\([^)]*workers\//.test(readFileSync(join(root, path), 'utf8'))),
  );
  expect(starting.length).toBeGreaterThan(3);
  // `listening` is what a page needs of music, beside its workers' part.
  const pages = /^src\/(ui\/client|lanes\/[^/]+\/(ui|browser\/listening))\//;
  expect(starting.filter((path) => !pages.test(path))).toEqual([]);
});
