/** A third lane in the run of the app, beside music: tests/lanes/parcels, which no file of src knows. */
import { expect, test } from 'vitest';
import { MemoryJobStore, memoryState } from '#adapters/memory/job-store.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { ingestFile } from '#core/ingest/registry.ts';
import type { Job } from '#core/job/job.ts';
import { newJob } from '#core/job/new-job.ts';
import { AGENT_OFF } from '#core/run/agent-state.ts';
import { answerReview } from '#core/run/answer.ts';
import { undoJobs } from '#core/run/commands.ts';
import { laneRun } from '#core/run/lane-run.ts';
import { laneFinder, type RunDeps } from '#core/run/ports.ts';
import { Run } from '#core/run/run.ts';
import { core as music } from '#lanes/music/core/lane-core.ts';
import { core as video } from '#lanes/video/core/lane-core.ts';
import { countingIds, makeBatch, testClock } from '../../fixtures/job.ts';
import { core as parcels, MemoryParcelRows } from '../../lanes/parcels/core/lane-core.ts';
import { createParcelRun } from '../../lanes/parcels/core/parcel-run.ts';
import type { ParcelTypes } from '../../lanes/parcels/core/types.ts';

function openParcels(files: Record<string, string>) {
  const clock = testClock();
  const ids = countingIds();
  const store = new MemoryJobStore<ParcelTypes>({ parcels: new MemoryParcelRows() });
  const read = (sha256: string): Promise<string> => Promise.resolve(files[sha256] ?? '');
  const lane = laneRun(createParcelRun({ ids, clock, read }));
  const deps: RunDeps = {
    ...{ clock, ids, lanes: [lane], lane: laneFinder([lane]) },
    // The store's jobs are those of parcels.
    store: store as unknown as RunDeps['store'],
    agent: { model: async () => null, seed: () => 1 },
    agentState: memoryState(AGENT_OFF),
    paused: async () => false,
    parallel: { probes: 1, conversions: 1 },
    onLocalFailure: () => 'fail',
    sync: { start: () => undefined, stop: () => undefined, poke: () => undefined },
    later: () => undefined,
    onError: (error) => {
      throw error;
    },
  };
  return {
    store,
    deps,
    async drop(...names: string[]): Promise<void> {
      const batch = makeBatch({ id: ids.next(), total: names.length, taken: names.length });
      await store.change(async (rows) => {
        await rows.putBatch(batch);
        for (const name of names) {
          const facts = { id: name, now: clock.now(), batch, original_filename: name, path: name };
          await rows.putJob(newJob<ParcelTypes>({ ...facts, file_size_bytes: 9, sha256: name, lane: 'parcels' }));
        }
      });
    },
    async settle(): Promise<void> {
      await new Run(deps, { until: 'settled', converting: '', hasOutput: async () => true }).run();
    },
    async open() {
      return (await store.reviewsOfJobs(Object.keys(files))).filter((review) => review.resolved_at === null);
    },
    async said(id: string): Promise<[Job['phase'], string | null]> {
      const job = await store.job(id);
      if (job === undefined) throw new Error(`there is no job ${id}`);
      return [job.phase, job.matched_title];
    },
  };
}

test('a third lane: its file is read, asked about, answered, ended by the lane, and remembered', async () => {
  const app = openParcels({ 'a.parcel': 'to: Mill Lane 5', 'b.parcel': 'to: Mill Lane 5', 'c.parcel': 'nothing' });
  await app.drop('a.parcel', 'c.parcel');
  await app.settle();
  expect(await app.said('a.parcel')).toEqual(['review', null]);
  expect((await app.store.job('c.parcel'))?.error_message).toBe('"c.parcel" names no street.');
  const [question] = await app.open();
  expect(question?.options.map(({ label }) => label)).toEqual(['Shelf A1', 'Shelf B2']);

  expect(await answerReview(app.deps, question?.id ?? '', { kind: 'option', option_id: 'shelf:B2' }, 'me')).toEqual({
    ok: true,
    value: { winner: 'shelf:B2' },
  });
  await app.settle();
  expect(await app.said('a.parcel')).toEqual(['published', 'Shelf B2']);

  await app.drop('b.parcel');
  await app.settle();
  expect(await app.said('b.parcel')).toEqual(['published', 'Shelf B2']);
  expect(await app.open()).toEqual([]);
});

test('an answer that is none of a third lane fits nowhere, and what it rejects can be taken back', async () => {
  const app = openParcels({ 'a.parcel': 'to: Mill Lane 5' });
  await app.drop('a.parcel');
  await app.settle();
  const [question] = await app.open();
  const strange = await answerReview(app.deps, question?.id ?? '', { kind: 'album', album_id: 'al1' }, 'me');
  expect(strange).toMatchObject({ ok: false, failure: { code: 'invalid' } });
  await answerReview(app.deps, question?.id ?? '', { kind: 'none' }, 'me');
  await app.settle();
  expect((await app.said('a.parcel'))[0]).toBe('failed');
  await app.deps.store.change((rows) => undoJobs(rows, app.deps, ['a.parcel']));
  await app.settle();
  expect((await app.said('a.parcel'))[0]).toBe('review');
  expect(await app.open()).toHaveLength(1);
});

test('the registry of all lanes gives each file to the lane that takes it', () => {
  const registry = ingesterRegistry([music, video, parcels]);
  const laneOf = (path: string, kind: 'text' | 'flac'): string | null => {
    const { outcome } = ingestFile(registry, { path, size: 9, kind });
    return outcome.as === 'job' ? outcome.lane : null;
  };
  expect(laneOf('a.parcel', 'text')).toBe('parcels');
  expect(laneOf('a.flac', 'flac')).toBe('music');
  expect(laneOf('a.parcel', 'flac')).toBeNull();
});
