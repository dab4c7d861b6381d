import { describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { WorkNews, WorkSave, WorkSaved } from '#core/sync/work-protocol.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { flacBytes, LEASE_MS, NO_NEWS, probeOutcome, uploadBench } from '../../fixtures/upload-bench.ts';
import { zipOf } from '../../fixtures/zip.ts';

const artist = 'The Mooring Lines';
const TITLES = ['Lantern Weather', 'Slow Ferries', 'Cordage', 'The Pilot Sleeps'];
const catalog: CatalogFile = {
  artists: [{ id: 'ar', name: artist }],
  albums: [{ id: 'al', title: 'Harbour Songs', artist_id: 'ar', artist, year: 1997, discs: 1, track_count: 4 }],
  tracks: TITLES.map((title, at) => ({
    ...{ id: `tr${at + 1}`, title, duration_ms: 200_000 + at * 30_000 },
    ...{ album_id: 'al', artist_id: 'ar', artist, disc: 1, position: at + 1 },
  })),
};

/** `01.flac` is the first track by its tags; a file without a number is of nobody knows what. */
function probe(_sha256: string, name: string) {
  const at = Number(/\d+/.exec(name)?.[0] ?? 0) - 1;
  const title = TITLES[at];
  if (title === undefined) return ok(probeOutcome({ duration_ms: 7_000 }));
  const tags = { title, artist, album: 'Harbour Songs', track: at + 1 };
  return ok(probeOutcome({ duration_ms: 200_000 + at * 30_000, tags }));
}

const file = (path: string, seed: number) => ({ path, bytes: flacBytes(seed) });
const savedWith = (save: WorkSave, news: Partial<WorkNews>): Result<WorkSaved> =>
  ok({ revision: save.revision + 1, lease_ms: LEASE_MS, news: { ...NO_NEWS, ...news } });

/** A worker that was killed when its second commit was on its way: what it saved last. */
async function killedAtCommit() {
  const options = { catalog, probe, files: [file('01.flac', 1), file('02.flac', 2)] };
  const stop = new AbortController();
  const bench = uploadBench({
    ...options,
    commit: ({ track_id }) => {
      if (track_id !== 'tr2') return null;
      stop.abort();
      return fail(failure('offline', 'Killed.'));
    },
  });
  const saves: WorkSave[] = bench.saves;
  await bench.work(stop.signal);
  const sent = saves.findLast(({ document }) => document.includes('"commit_sent":true'));
  const job = bench.rows().jobs.find((one) => one.matched_track_id === 'tr2');
  return { options, document: sent?.document ?? '', jobId: job?.id ?? '' };
}

describe('what people and commits did meanwhile', () => {
  test('WORK-11 an archive that is cancelled while it is unpacked takes nothing more in, and what came out of it ends, too', async () => {
    const entries = Array.from({ length: 100 }, (_, at) => ({ name: `${at}x.flac`, data: flacBytes(at + 10) }));
    const inner = zipOf([{ name: 'deep.flac', data: flacBytes(9) }]);
    const zip = { path: 'x.zip', bytes: zipOf([...entries, { name: 'zz.zip', data: inner }]), id: 'zip' };
    let told = false;
    const bench = uploadBench({
      ...{ catalog, probe, files: [zip, file('z/01.flac', 1)] },
      onSave: (save) => {
        const isOut = save.jobs.some((job) => job.parent_job_id === 'zip');
        if (!isOut || told) return null;
        told = true;
        // The server knows none of what came out of it.
        return savedWith(save, { cancelled: ['zip'] });
      },
    });
    await bench.work();
    const { jobs } = bench.rows();
    const inside = jobs.filter((job) => job.archive !== undefined);
    expect(inside.length).toBeGreaterThan(0);
    expect(inside.length).toBeLessThan(100);
    expect(new Set(inside.map((job) => job.phase))).toEqual(new Set(['cancelled']));
    expect(bench.commits.map(({ track_id }) => track_id)).toEqual(['tr1']);
    const last = bench.saves.at(-1);
    expect(last?.state).toBe('done');
    expect(last?.jobs.find(({ id }) => id === 'zip')).toMatchObject({ status: 'FAILED', error_message: 'cancelled' });
    expect(bench.said.filter((line) => line.includes('cancelled'))).toHaveLength(1);

    // Whoever goes on with it meets the archive as it was left.
    const next = uploadBench({ catalog, probe, files: [zip], claim: { document: last?.document ?? '' } });
    await next.work();
    expect(next.rows().jobs.map(({ id, phase }) => [id, phase])).toEqual(jobs.map(({ id, phase }) => [id, phase]));
    expect(next.saves.at(-1)?.state).toBe('done');
  });

  test('WORK-12 an archive that cannot be opened leaves the rest of the upload to be worked on, by the next worker, too', async () => {
    const damaged = { path: 'x.zip', bytes: zipOf([{ name: 'a.flac', data: flacBytes(9) }]).slice(0, 40), id: 'zip' };
    const files = [damaged, file('what.flac', 1)];
    const first = uploadBench({ catalog, probe, files });
    await first.work();
    const [review] = first.rows().reviews;
    expect(first.saves.at(-1)).toMatchObject({ state: 'waiting' });
    const answers = [{ review_id: review?.id ?? '', selected_option: 'none', resolved_by_user_id: 'ann' }];
    const document = first.saves.at(-1)?.document ?? '';
    const next = uploadBench({ catalog, probe, files, claim: { document, news: { ...NO_NEWS, answers } } });
    await next.work();
    expect(next.rows().jobs.map(({ id, phase }) => [id, phase])).toEqual([
      ['2', 'failed'],
      ['zip', 'failed'],
    ]);
    expect(next.saves.at(-1)?.state).toBe('done');
  });

  test('WORK-11 the answer to a question that is gone is left alone; one about what is gone asks again', async () => {
    const files = [file('what.flac', 1)];
    const first = uploadBench({ catalog, probe, files });
    await first.work();
    const [review] = first.rows().reviews;
    const document = first.saves.at(-1)?.document ?? '';
    const answers = [
      { review_id: 'of-nobody', selected_option: 'track:tr1', resolved_by_user_id: 'ann' },
      { review_id: review?.id ?? '', selected_option: 'track:gone', resolved_by_user_id: 'ann' },
    ];
    const next = uploadBench({ catalog, probe, files, claim: { document, news: { ...NO_NEWS, answers } } });
    await next.work();
    const { reviews, jobs } = next.rows();
    expect(jobs.map(({ phase }) => phase)).toEqual(['review']);
    expect(reviews.map(({ selected_option, resolved_at }) => [selected_option, resolved_at !== null])).toEqual([
      ['track:gone', true],
      [null, false],
    ]);
    const steps = next.saves.flatMap((save) => save.steps.map(({ step }) => step.step_type));
    expect(steps.slice(0, 2)).toEqual(['ReviewAnswer', 'Error']);
    expect(next.saves.at(-1)).toMatchObject({ state: 'waiting', release: true });
    // The same news come with every save, until the server knows that they were heard.
    const again = uploadBench({
      ...{ catalog, probe, files, claim: { document: next.saves.at(-1)?.document ?? '' } },
      onSave: (save) => savedWith(save, { answers }),
    });
    await again.work();
    expect(again.rows().reviews).toHaveLength(2);
  });

  test('WORK-11 an album that was chosen and is gone from the catalog is asked about again, and waited for by nobody', async () => {
    const files = [file('what.flac', 1)];
    for (const selected_option of ['album:gone', 'created:gone']) {
      const first = uploadBench({ catalog, probe, files });
      await first.work();
      const [review] = first.rows().reviews;
      const answers = [{ review_id: review?.id ?? '', selected_option, resolved_by_user_id: 'ann' }];
      const document = first.saves.at(-1)?.document ?? '';
      const next = uploadBench({ catalog, probe, files, claim: { document, news: { ...NO_NEWS, answers } } });
      await next.work();
      expect(next.rows().jobs.map(({ phase }) => phase)).toEqual(['review']);
      expect(next.rows().reviews.map((one) => one.selected_option)).toEqual([selected_option, null]);
      expect(next.saves.at(-1)).toMatchObject({ state: 'waiting', release: true });
    }
  });

  test('WORK-7 a commit that was sent before a kill: what the server took is published, and not sent again', async () => {
    const { options, document, jobId } = await killedAtCommit();
    const published = [{ job_id: jobId, track_id: 'tr2', output_file_path: 'tr2.ogg' }];
    const next = uploadBench({ ...options, claim: { document, news: { ...NO_NEWS, published } } });
    await next.work();
    const { jobs, outbox } = next.rows();
    expect(jobs.find(({ id }) => id === jobId)).toMatchObject({ phase: 'published', output_file_path: 'tr2.ogg' });
    expect(next.commits.map(({ track_id }) => track_id)).not.toContain('tr2');
    expect(outbox).toEqual([]);
    expect(next.saves.at(-1)?.state).toBe('done');
  });

  test('WORK-7 a commit that was sent before a kill and did not arrive: it is converted and sent again, once', async () => {
    const { options, document, jobId } = await killedAtCommit();
    const next = uploadBench({ ...options, claim: { document } });
    await next.work();
    expect(next.commits.filter(({ job_id }) => job_id === jobId)).toHaveLength(1);
    expect(new Set(next.rows().jobs.map(({ phase }) => phase))).toEqual(new Set(['published']));
  });

  test('WORK-10 a commit whose answer is lost is asked for again, under its key, by the same worker', async () => {
    let lost = 0;
    const keys: string[] = [];
    const bench = uploadBench({ catalog, probe, files: [file('01.flac', 1)] });
    const { commit } = bench.using.publish;
    bench.using.publish = {
      ...bench.using.publish,
      commit(body, key, signal) {
        keys.push(key);
        return (lost += 1) === 1 ? Promise.resolve(fail(failure('offline', 'Not heard.'))) : commit(body, key, signal);
      },
    };
    await bench.work();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(bench.rows().jobs.map(({ phase }) => phase)).toEqual(['published']);
  });

  test('WORK-14 a token that the server refuses is not tried over and over', async () => {
    let refused = 0;
    const bench = uploadBench({
      ...{ catalog, probe, files: [file('01.flac', 1)] },
      commit: () => ((refused += 1) <= 3 ? fail(failure('unauthorized', 'Unknown token.')) : null),
    });
    const before = bench.clock.now();
    await bench.work();
    expect(bench.clock.now() - before).toBeGreaterThanOrEqual(3 * 2_000);
    expect(bench.rows().jobs.map(({ phase }) => phase)).toEqual(['published']);
  });

  test('WORK-1 a lease that is lost in the middle stops the work at once: nothing is converted, sent or saved any more', async () => {
    let converted = 0;
    const bench = uploadBench({
      ...{ catalog, probe, files: [file('01.flac', 1), file('02.flac', 2)] },
      onSave: (save) => (save.document.includes('"phase":"converting"') ? OVER : null),
      convert: () => {
        converted += 1;
        return Promise.resolve(fail(failure('internal', 'It is too late.')));
      },
    });
    await expect(bench.work()).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect([converted, bench.commits.length]).toEqual([0, 0]);
    expect(bench.saves.some(({ document }) => document.includes('"phase":"converting"'))).toBe(false);
    expect(bench.saves.some(({ release }) => release)).toBe(false);
  });

  test('WORK-1 a commit that is refused because the lease is over ends the work, and asks nobody', async () => {
    let isOver = false;
    const bench = uploadBench({
      ...{ catalog, probe, files: [file('01.flac', 1)] },
      onSave: () => (isOver ? OVER : null),
      commit: () => {
        isOver = true;
        return OVER;
      },
    });
    await expect(bench.work()).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(bench.rows().reviews).toEqual([]);
    expect(bench.commits).toHaveLength(1);
  });

  test('WORK-10 a save that the server refuses ends the work with its sentence; nothing is published without it', async () => {
    const bench = uploadBench({
      ...{ catalog, probe, files: [file('01.flac', 1)] },
      onSave: (save) =>
        save.document.includes('"phase":"publishing"') ? fail(failure('invalid', 'The upload has no job "a".')) : null,
    });
    await expect(bench.work()).rejects.toThrow('The upload has no job "a".');
    expect(bench.commits).toEqual([]);
  });
});

const OVER = fail(failure('conflict', 'This lease is over.'));
