import { expect, test } from 'vitest';
import { writePaused } from '#adapters/browser/job-store.ts';
import { pauseGate } from '#adapters/browser/stage/gate.ts';
import { openDatabase } from '#lanes/database.ts';
import { dropped, SPONTANEOUS, StageBench } from '../../fixtures/stage.ts';

const flac = (seed: number): Uint8Array<ArrayBuffer> => new Uint8Array(200).fill(seed).with(0, 0x66);
const FILES = [dropped('1.flac', flac(1)), dropped('2.flac', flac(2))];

/** A drop while work is paused, on its way in. */
async function pausedDrop() {
  const bench = new StageBench();
  await writePaused(bench.db, true);
  const gate = pauseGate(bench.db);
  const done = bench.tab({ gate }).stage(FILES, SPONTANEOUS);
  await expect.poll(() => bench.db.batches.count()).toBe(1);
  const id = (await bench.db.batches.toCollection().first())?.id ?? '';
  return { bench, gate, done, id };
}

test('JOB-11, JOB-33 a drop while work is paused waits from its first file on, and goes on', async () => {
  const { bench, done, id } = await pausedDrop();
  // By now a gate that is open until it knows would have let them in.
  for (let turn = 0; turn < 20; turn++) await bench.batch(id);
  expect(await bench.db.jobs.count()).toBe(0);
  await writePaused(bench.db, false);
  expect((await done).ok).toBe(true);
  expect((await bench.jobs(id)).map((job) => job.path)).toEqual(['1.flac', '2.flac']);
});

test('JOB-14 a drop that waits while work is paused is cancelled from any tab', async () => {
  const { bench, done, id } = await pausedDrop();
  await bench.tab().cancel(id);
  expect((await done).ok).toBe(true);
  expect(await bench.rows(id)).toEqual(['1.flac: cancelled: cancelled', '2.flac: cancelled: cancelled']);
  expect((await bench.storedHashes()).size).toBe(0);
  expect((await bench.batch(id)).notice).toBe('Cancelled after 0 of 2 files.');
});

test('JOB-14 what is being read is told of a cancel in another tab; no pause stops it', async () => {
  const bench = new StageBench();
  const { batch_id: id } = await bench
    .tab()
    .stage(FILES, SPONTANEOUS)
    .then((result) => (result.ok ? result.value : { batch_id: '' }));
  await bench.db.batches.update(id, { state: 'staging', notice: null });
  const cancel = { aborted: false };
  const gate = pauseGate(bench.db)(id, cancel);
  await gate.opens();
  expect([gate.closed, cancel.aborted]).toEqual([false, false]);
  await bench.db.batches.update(id, { notice: 'Cancelled after 1 of 2 files.' });
  await expect.poll(() => cancel.aborted).toBe(true);
  gate.end();
});

test('JOB-11 a gate whose database cannot be read holds nobody', async () => {
  const db = openDatabase('stage-gate-broken');
  db.close();
  await pauseGate(db)('none', { aborted: false }).opens();
});
