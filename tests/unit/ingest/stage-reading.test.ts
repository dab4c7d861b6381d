import { expect, test } from 'vitest';
import type { Gate } from '#adapters/browser/stage/gate.ts';
import { looseFile } from '#adapters/browser/stage/incoming.ts';
import { zipOf } from '../../fixtures/zip.ts';
import { dropped, StageBench } from '../../fixtures/stage.ts';
import { Reading } from '#adapters/browser/stage/reading.ts';

function world(gate?: Gate) {
  const time = { now: 0 };
  const told: [number, number][] = [];
  const tell = (done: number, total: number): void => void told.push([done, total]);
  const clock = { now: () => (time.now += 1000) };
  return { told, reading: new Reading({ clock, tell, ...(gate ? { gate } : {}) }) };
}
const file = (bytes: number): ReturnType<typeof looseFile> =>
  looseFile('a.wav', new File([new Uint8Array(bytes)], 'a.wav'));
const goesOn = { aborted: false };

test('UI-56 the bytes of a drop are told as they are read, and a file that was refused is done, too', async () => {
  const { told, reading } = world();
  reading.expect(3_000_000);
  for await (const chunk of reading.through(file(2_000_000), goesOn)) expect(chunk.length).toBeGreaterThan(0);
  reading.ended(2_000_000, 0);
  reading.ended(1_000_000, reading.done);
  expect(told[0]).toEqual([0, 3_000_000]);
  expect(told.at(-1)).toEqual([3_000_000, 3_000_000]);
  const done = told.map(([bytes]) => bytes);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done.length).toBeGreaterThan(3);
});

test('UI-56 an entry that holds more than its archive declares is never more than the whole', async () => {
  const { told, reading } = world();
  reading.expect(10);
  for await (const chunk of reading.through({ ...file(1000), size: 10 }, goesOn)) void chunk;
  expect(told.every(([done, total]) => done <= total)).toBe(true);
});

test('JOB-11 while work is paused nothing more is read; to cancel opens the way', async () => {
  let open = (): void => undefined;
  const opens = (): Promise<void> => new Promise((resolve) => (open = resolve));
  const gate = { closed: true, opens, end: () => undefined };
  const { reading } = world(gate);
  const source = reading.through(file(10), goesOn)[Symbol.asyncIterator]();
  const first = source.next();
  const waited = await Promise.race([
    first.then(() => 'read'),
    new Promise((resolve) => setImmediate(resolve, 'waits')),
  ]);
  expect(waited).toBe('waits');
  gate.closed = false;
  await expect.poll(() => (open(), true)).toBe(true);
  expect((await first).value?.length).toBe(10);
});

test('UI-56 a ZIP is not done with its copy: what is in it is expected before, and counted once', async () => {
  const told: [number, number][] = [];
  let now = 0;
  const tell = (_: string, done: number, total: number): void => void told.push([done, total]);
  const bench = new StageBench({ tell, clock: { now: () => (now += 1000) } });
  const data = new Uint8Array(100_000).fill(1);
  const zip = zipOf(
    ['a.flac', 'b.flac'].map((name) => ({ name, data: data.with(5, name.charCodeAt(0)), deflate: true })),
  );
  await bench.drop([dropped('x.zip', zip)]);
  expect(told.at(-1)).toEqual([zip.length + 200_000, zip.length + 200_000]);
  const shares = told.map(([done, total]) => done / total);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
});

test('UI-56 of a ZIP that is not stored nothing is expected', async () => {
  const told: [number, number][] = [];
  let now = 0;
  const tell = (_: string, done: number, total: number): void => void told.push([done, total]);
  const bench = new StageBench({ tell, clock: { now: () => (now += 1000) }, freeBytes: async () => 1000 });
  const zip = zipOf([{ name: 'a.flac', data: new Uint8Array(100_000), deflate: false }]);
  await bench.drop([dropped('x.zip', zip)]);
  expect(told.at(-1)).toEqual([zip.length, zip.length]);
});
