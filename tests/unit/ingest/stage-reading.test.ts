import { expect, test } from 'vitest';
import { looseFile } from '#adapters/media/loose-file.ts';
import type { Gate } from '#core/run/stage/ports.ts';
import { Reading } from '#core/run/stage/reading.ts';
import { zipOf } from '../../fixtures/zip.ts';
import { dropped, StageBench } from '../../fixtures/stage.ts';

function world(gate?: Gate) {
  const time = { now: 0 };
  const reports: [number, number][] = [];
  const report = (done: number, total: number): void => void reports.push([done, total]);
  const clock = { now: () => (time.now += 1000) };
  return { reports, reading: new Reading({ clock, report, ...(gate ? { gate } : {}) }) };
}
const file = (bytes: number): ReturnType<typeof looseFile> =>
  looseFile('a.wav', new File([new Uint8Array(bytes)], 'a.wav'));
const goesOn = { aborted: false };

test('UI-56 the bytes of a drop are reported as they are read, and a file that was refused is done, too', async () => {
  const { reports, reading } = world();
  reading.expect(3_000_000);
  for await (const chunk of reading.through(file(2_000_000), goesOn)) expect(chunk.length).toBeGreaterThan(0);
  reading.ended(2_000_000, 0);
  reading.ended(1_000_000, reading.done);
  expect(reports[0]).toEqual([0, 3_000_000]);
  expect(reports.at(-1)).toEqual([3_000_000, 3_000_000]);
  const done = reports.map(([bytes]) => bytes);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done.length).toBeGreaterThan(3);
});

test('UI-56 an entry that holds more than its archive declares is never more than the whole', async () => {
  const { reports, reading } = world();
  reading.expect(10);
  for await (const chunk of reading.through({ ...file(1000), size: 10 }, goesOn)) void chunk;
  expect(reports.every(([done, total]) => done <= total)).toBe(true);
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
  const reports: [number, number][] = [];
  let now = 0;
  const report = (_: string, done: number, total: number): void => void reports.push([done, total]);
  const bench = new StageBench({ report, clock: { now: () => (now += 1000) } });
  const data = new Uint8Array(100_000).fill(1);
  const zip = zipOf(
    ['a.flac', 'b.flac'].map((name) => ({ name, data: data.with(5, name.charCodeAt(0)), deflate: true })),
  );
  await bench.drop([dropped('x.zip', zip)]);
  expect(reports.at(-1)).toEqual([zip.length + 200_000, zip.length + 200_000]);
  const shares = reports.map(([done, total]) => done / total);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
});

test('UI-56 of a ZIP that is not stored nothing is expected', async () => {
  const reports: [number, number][] = [];
  let now = 0;
  const report = (_: string, done: number, total: number): void => void reports.push([done, total]);
  const bench = new StageBench({ report, clock: { now: () => (now += 1000) }, freeBytes: async () => 1000 });
  const zip = zipOf([{ name: 'a.flac', data: new Uint8Array(100_000), deflate: false }]);
  await bench.drop([dropped('x.zip', zip)]);
  expect(reports.at(-1)).toEqual([zip.length, zip.length]);
});
