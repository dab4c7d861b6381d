import { describe, expect, test } from 'vitest';
import type { StageApi } from '#adapters/browser/api.ts';
import { localLocks } from '#adapters/browser/stage/locks.ts';
import { MemoryBlobStore } from '../../fixtures/memory-blobs.ts';
import type { StageLocks } from '#core/run/stage/ports.ts';
import { flac, HEADS } from '../../fixtures/heads.ts';
import { dropped, SPONTANEOUS, StageBench } from '../../fixtures/stage.ts';
import { zipOf } from '../../fixtures/zip.ts';

/** A tab that dies: after so many stored blobs nothing of it happens any more. */
class DyingBlobStore extends MemoryBlobStore {
  left = Infinity;
  readonly dead: Promise<void>;
  #die: () => void = () => undefined;

  constructor() {
    super();
    this.dead = new Promise((resolve) => (this.#die = resolve));
  }

  override async put(...args: Parameters<MemoryBlobStore['put']>): ReturnType<MemoryBlobStore['put']> {
    return this.#alive() ? super.put(...args) : new Promise(() => undefined);
  }

  override async keep(...args: Parameters<MemoryBlobStore['keep']>): ReturnType<MemoryBlobStore['keep']> {
    return this.#alive() ? super.keep(...args) : new Promise(() => undefined);
  }

  #alive(): boolean {
    if (this.left-- > 0) return true;
    this.#die();
    return false;
  }
}

/** Drops into a tab that dies after `puts` blobs; its locks die with it. */
async function dieAfter(
  puts: number,
  files: Parameters<StageApi['stage']>[0],
): Promise<{ bench: StageBench; batchId: string }> {
  const blobs = new DyingBlobStore();
  const bench = new StageBench({}, blobs);
  blobs.left = puts;
  void bench.tab({ locks: localLocks() }).stage(files, SPONTANEOUS);
  await blobs.dead;
  blobs.left = Infinity;
  const [batch] = await bench.db.batches.toArray();
  return { bench, batchId: batch?.id ?? '' };
}

const entries = Array.from({ length: 6 }, (_, i) => ({ name: `${i + 1}.flac`, data: flac(i + 1) }));
const zip = dropped('album.zip', zipOf(entries));

describe('STAGE-7 a reload goes on where the batch was cut', () => {
  test('a drop that waits for its lock is not taken for a batch that somebody left', async () => {
    const bench = new StageBench();
    const locks = localLocks();
    const starting = bench.tab({ locks });
    const late: StageLocks = {
      ...locks,
      run: async (batchId, work) => {
        await starting.resume();
        return locks.run(batchId, work);
      },
    };
    const batch = await bench.drop([zip], bench.tab({ locks: late }));
    expect(batch).toMatchObject({ state: 'staged', total: 6, taken: 6, notice: null });
    expect(await bench.jobs(batch.id)).toHaveLength(6);
  });

  test.each([1, 2, 4, 6])(
    'STAGE-2, STAGE-85 an archive, cut after %i blobs: every entry is one job in the end',
    async (puts) => {
      const { bench, batchId } = await dieAfter(puts, [zip]);
      expect(await bench.batch(batchId)).toMatchObject({ state: 'staging', taken: puts - 1 });
      const before = (await bench.jobs(batchId)).map((job) => job.id);
      await bench.tab().resume();
      expect(await bench.batch(batchId)).toMatchObject({
        state: 'staged',
        total: 6,
        taken: 6,
        notice: null,
        archives: [{ done: true, entries: 6 }],
      });
      const after = await bench.jobs(batchId);
      expect(after.map((job) => `${job.path} ${job.phase}`)).toEqual(entries.map(({ name }) => `album/${name} queued`));
      expect(after.map((job) => job.id)).toEqual(expect.arrayContaining(before));
      expect((await bench.storedHashes()).size).toBe(6);
      expect(bench.notified).toBe(1);
    },
  );

  test('a ZIP in a ZIP, with companions and failed rows, is not counted twice', async () => {
    const inner = zipOf([...entries, { name: 'x.nfo', data: HEADS.text }, { name: '../x', data: HEADS.text }]);
    const outer = dropped(
      'box.zip',
      zipOf([
        { name: 'a.flac', data: flac(20) },
        { name: 'cd.zip', data: inner },
        { name: 'b.flac', data: flac(21) },
      ]),
    );
    for (let puts = 1; puts <= 9; puts++) {
      const { bench, batchId } = await dieAfter(puts, [outer]);
      await bench.tab().resume();
      const batch = await bench.batch(batchId);
      expect([puts, batch.state, batch.total, batch.taken, batch.notice]).toEqual([puts, 'staged', 10, 10, null]);
      expect((await bench.jobs(batchId)).length).toBe(9);
      expect(new Set((await bench.jobs(batchId)).map((job) => job.path)).size).toBe(9);
    }
  });

  test('STAGE-97, STAGE-99 loose files that never arrived are said, what arrived stays', async () => {
    const loose = Array.from({ length: 5 }, (_, i) => dropped(`${i}.flac`, flac(i + 30)));
    const { bench, batchId } = await dieAfter(3, loose);
    await bench.tab().resume();
    expect(await bench.batch(batchId)).toMatchObject({
      state: 'staged',
      notice: 'The page was closed after 3 of 5 files; drop the rest again.',
    });
    expect(await bench.rows(batchId)).toEqual([
      '0.flac: PENDING queued',
      '1.flac: PENDING queued',
      '2.flac: PENDING queued',
    ]);
  });

  test('STAGE-99, STAGE-85 nothing arrived at all', async () => {
    const { bench, batchId } = await dieAfter(0, [zip, dropped('x.flac', flac(50))]);
    await bench.tab().resume();
    expect((await bench.batch(batchId)).notice).toBe(
      'The page was closed before any of the 2 files was taken in; drop them again.',
    );
  });

  test('the archive itself is gone: said of the archive', async () => {
    const { bench, batchId } = await dieAfter(3, [zip]);
    for (const archive of (await bench.batch(batchId)).archives) await bench.blobs.delete(archive.sha256);
    await bench.tab().resume();
    expect((await bench.rows(batchId))[0]).toMatch(/^album.zip: blob_missing: /);
    expect(await bench.batch(batchId)).toMatchObject({ state: 'staged', archives: [{ done: true }] });
  });

  test('a batch that another tab is staging is left alone', async () => {
    const blobs = new DyingBlobStore();
    const bench = new StageBench({}, blobs);
    blobs.left = 3;
    void bench.tab().stage([zip], SPONTANEOUS);
    await blobs.dead;
    blobs.left = Infinity;
    // The same locks: the first tab still holds its batch.
    await bench.tab().resume();
    expect(await bench.db.batches.toArray()).toMatchObject([{ state: 'staging', taken: 2 }]);
  });
});

describe('STAGE-8 cancelling stops between and within files; what is left is cancelled rows', () => {
  const cancelled = (path: string): string => `${path}: cancelled: cancelled`;

  /** A drop that is cancelled when its nth blob is being written. */
  async function cancelAt(
    nth: number,
    files: Parameters<StageApi['stage']>[0],
    otherTab = false,
  ): Promise<{ bench: StageBench; batchId: string }> {
    const blobs = new MemoryBlobStore();
    const bench = new StageBench({}, blobs);
    const stage = bench.tab();
    const other = bench.tab();
    const [put, keep] = [blobs.put.bind(blobs), blobs.keep.bind(blobs)];
    let count = 0;
    let cancelling: Promise<void> | undefined;
    const counted = async (): Promise<void> => {
      count += 1;
      if (count === nth) {
        const [batch] = await bench.db.batches.toArray();
        cancelling = (otherTab ? other : stage).cancel(batch?.id ?? '');
        // The wish is written before the file goes on.
        while ((await bench.db.batches.toArray())[0]?.notice === null) continue;
        await Promise.resolve();
      }
    };
    blobs.put = async (...args) => counted().then(() => put(...args));
    blobs.keep = async (...args) => counted().then(() => keep(...args));
    const result = await stage.stage(files, SPONTANEOUS);
    await cancelling;
    return { bench, batchId: result.ok ? result.value.batch_id : '' };
  }

  test.each([false, true])('loose files (from another tab: %s)', async (otherTab) => {
    const loose = Array.from({ length: 4 }, (_, i) => dropped(`${i}.flac`, flac(i)));
    const { bench, batchId } = await cancelAt(3, loose, otherTab);
    expect(await bench.rows(batchId)).toEqual([
      '0.flac: PENDING queued',
      '1.flac: PENDING queued',
      cancelled('2.flac'),
      cancelled('3.flac'),
    ]);
    expect(await bench.batch(batchId)).toMatchObject({
      state: 'staged',
      total: 4,
      taken: 4,
      notice: 'Cancelled after 2 of 4 files.',
    });
    const job = (await bench.jobs(batchId))[3];
    expect(job).toMatchObject({
      status: 'FAILED',
      phase: 'cancelled',
      error_message: 'cancelled',
      temp_file_path: null,
      failure: { retryable: false },
    });
    expect(bench.notified).toBe(1);
  });

  test('an archive: the entries that were not taken in are named', async () => {
    const { bench, batchId } = await cancelAt(4, [zip, dropped('z.flac', flac(70))]);
    expect(await bench.rows(batchId)).toEqual([
      'album/1.flac: PENDING queued',
      ...[2, 3, 4, 5, 6].map((n) => cancelled(`album/${n}.flac`)),
      'z.flac: PENDING queued',
    ]);
    expect(await bench.batch(batchId)).toMatchObject({
      state: 'staged',
      total: 7,
      taken: 7,
      archives: [{ done: true }],
    });
  });

  test('a batch that nobody is staging any more', async () => {
    const { bench, batchId } = await dieAfter(3, [zip]);
    await bench.tab().cancel(batchId);
    expect((await bench.rows(batchId)).slice(1, 3)).toEqual([
      'album/2.flac: PENDING queued',
      cancelled('album/3.flac'),
    ]);
    expect(await bench.batch(batchId)).toMatchObject({ state: 'staged', notice: 'Cancelled after 2 of 6 files.' });
  });

  test('a batch that is done is not touched', async () => {
    const bench = new StageBench();
    const batch = await bench.drop([zip]);
    await bench.tab().cancel(batch.id);
    expect(await bench.batch(batch.id)).toEqual(batch);
  });

  test('a kill while cancelling: the wish is remembered', async () => {
    const { bench, batchId } = await dieAfter(3, [zip]);
    await bench.db.batches.update(batchId, { notice: 'Cancelled after 2 of 6 files.' });
    await bench.tab().resume();
    expect((await bench.rows(batchId)).filter((row) => row.endsWith('cancelled')).length).toBe(4);
  });
});
