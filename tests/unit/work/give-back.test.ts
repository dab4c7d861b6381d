import { describe, expect, test } from 'vitest';
import type { WorkClient } from '#adapters/http/work-client.ts';
import { MemoryBlobStore } from '#adapters/memory/blob-store.ts';
import type { MediaAnswer, MediaTask } from '#adapters/work/media.types.ts';
import type { WorkProgress } from '#adapters/work/progress.ts';
import { workOn, type WorkUsing } from '#adapters/work/work-on.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { failure } from '#core/errors.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { ok } from '#core/result.ts';
import type { Claim, WorkSave } from '#core/sync/work-protocol.ts';
import { countingIds, testClock } from '../../fixtures/job.ts';

const NEWS = { cancelled: [], published: [], answers: [] };
const SIZE = 68;
/** The first bytes of a FLAC file, and something behind them. */
const bytesOf = (seed: number) =>
  new Uint8Array([...new TextEncoder().encode('fLaC'), 0, 0, 0, 34, ...new Array<number>(SIZE - 8).fill(seed)]);

/** An upload of two files, of which the second is never reached. */
async function world(media: (task: MediaTask) => MediaAnswer, rest: Partial<WorkUsing> = {}) {
  const files = await Promise.all(
    [1, 2].map(async (at) => {
      const { sha256 } = await new MemoryBlobStore().put(once(at));
      return { id: String(at), path: `0${at}.flac`, size: SIZE, sha256 };
    }),
  );
  const claim: Claim = {
    ...{ lease_id: 'lease', lease_ms: 60_000, files, jobs: [], document: null, revision: 0, news: NEWS, held: [] },
    batch: {
      ...{ id: 'b', user_id: 'ann', user_name: 'Ann', label: 'Album', context_type: 'spontaneous' },
      ...{ context_id: null, created_at: 0 },
    },
  };
  const saves: WorkSave[] = [];
  const told: WorkProgress[] = [];
  const unused = () => Promise.reject(new Error('not asked for here'));
  const work: WorkClient = {
    ...{ claim: unused, giveBack: unused, renew: unused },
    file: (_, id) => Promise.resolve(ok(once(Number(id)))),
    save: (_, save) => {
      saves.push(save);
      return Promise.resolve(ok({ revision: saves.length, lease_ms: 60_000, news: NEWS }));
    },
  };
  const index = buildCatalogIndex({ artists: [], albums: [], tracks: [] });
  const blobs = new MemoryBlobStore();
  const using: WorkUsing = {
    ...{ work, blobs, clock: testClock(), ids: countingIds(), settings: DEFAULT_SETTINGS, asker: null },
    client: { commit: unused },
    upload: unused,
    media: { run: (task) => Promise.resolve(media(task)) },
    catalog: {
      refresh: () => Promise.resolve(index),
      index: () => index,
      madeFrom: () => Promise.resolve(new Map()),
      request: () => Promise.resolve(undefined),
    },
    // Renewals are another test's matter.
    wait: (_, signal) =>
      new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve()))),
    say: () => undefined,
    tell: (progress) => told.push(progress),
    ...rest,
  };
  return { saves, told, work: () => workOn(claim, using, new AbortController().signal) };
}

async function* once(seed: number): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytesOf(seed));
}

const SOUND = { codec: 'flac', container: 'flac', bitrate: null, sample_rate: 44_100, channels: 2, lossless: true };
const probed = (): MediaAnswer => ({
  kind: 'probed',
  outcome: { ...SOUND, duration_ms: 20_000, tags: {}, cover: null },
});

describe('an upload that is given back', () => {
  test('WORK-25 a failure of the place is no fault of the file: it is given back with the file as it was', async () => {
    for (const code of ['storage_full', 'offline'] as const) {
      const why = failure(code, 'Not here.');
      const { saves, work } = await world(() => ({ kind: 'failed', failure: why }));
      await expect(work()).rejects.toThrow('Not here.');
      expect(saves.at(-1)).toMatchObject({ release: true, state: 'ready' });
      expect(saves.flatMap(({ jobs }) => jobs.map(({ status }) => status))).not.toContain('FAILED');
    }
  });

  test('WORK-25 a failure of the file is the file’s: the others go on', async () => {
    const bad = failure('file_damaged', 'It is damaged.');
    const { saves, work } = await world(() => ({ kind: 'failed', failure: bad }));
    await work();
    expect(saves.at(-1)).toMatchObject({ state: 'done' });
  });

  test('WORK-24 what comes first is asked for between two steps', async () => {
    let asked = 0;
    const { saves, work, told } = await world(probed, { yields: () => Promise.resolve((asked += 1) > 1) });
    await work();
    expect(saves.at(-1)).toMatchObject({ release: true, state: 'ready' });
    expect(told.filter(({ doing }) => doing === 'reading')).toEqual([
      { doing: 'reading', name: '01.flac', job: '1', done: 0, total: 2 },
    ]);
  });
});
