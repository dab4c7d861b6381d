import { memoryState } from '#adapters/memory/job-store.ts';
import { DEFAULT_SETTINGS, type Settings } from '#core/config.ts';
import { createHash } from 'node:crypto';
import type { ChosenCover } from '#core/job/job.ts';
import type { ReviewAnswer } from '#core/job/review.ts';
import type { TranscodeRequest } from '#adapters/browser/api.ts';
import type { ConvertRequest, ProbeOutcome } from '#core/media.ts';
import { ok, type Result } from '#core/result.ts';
import { AGENT_OFF } from '#core/run/agent-state.ts';
import { answerReview, takeRemoteAnswer } from '#core/run/answer.ts';
import { askAgain } from '#core/run/ask-again.ts';
import { cancelJobs, clearJobs, coverJobs, pauseJobs, retryJobs, skipAgent, undoJobs } from '#core/run/commands.ts';
import { type JobRows, type JobStore, isLockLost } from '#core/run/job-store.ts';
import { laneRun, type Converted } from '#core/run/lane-run.ts';
import { laneFinder, type RunDeps } from '#core/run/ports.ts';
import { Run } from '#core/run/run.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { tendProfile } from '#lanes/music/core/learning/learn.ts';
import { createMusicRun } from '#lanes/music/core/run/music-run.ts';
import type { MusicMedia } from '#lanes/music/core/run/ports.ts';
import { createTranscoderPool, type TranscodeWorker } from '#lanes/music/browser/transcoder-pool.ts';
import type { MusicJob, MusicReview, MusicTypes } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';
import { noAgent, type FakeAgent } from './fake-agent.ts';
import { catalogOf, recordsOf, type Records, type ShortCatalog } from './records.ts';
import { TestStore } from './test-rows.ts';

export interface DroppedAudio {
  name: string;
  seconds: number | null;
  tags?: ProbeOutcome['tags'];
  lossless?: boolean;
  /** Files with the same word have the same content; each has one of its own otherwise. */
  content?: string;
}

/** The run of the app over rows in memory with a made-up catalog; probing and converting answer what the test says. */
export async function openPipeline(
  catalog: ShortCatalog | CatalogFile,
  agent: FakeAgent | ((world: { records: Records; index(): Promise<CatalogIndex | null> }) => FakeAgent) = noAgent,
) {
  const store = new TestStore();
  const clock = testClock();
  const ids = countingIds();
  const records = recordsOf(catalog);
  const probes = new Map<string, DroppedAudio>();
  const conversions: TranscodeRequest[] = [];
  const errors: unknown[] = [];
  const settings: Settings = { ...DEFAULT_SETTINGS };
  let isPaused = false;
  let ended = 0;
  let convert = async (request: TranscodeRequest): Promise<Result<Converted>> => ok(converted(request));
  let wantReplica = (): void => undefined;
  let index = async (): Promise<CatalogIndex | null> => buildCatalogIndex(records.now());
  let spawn = (): TranscodeWorker => ({
    api: {
      transcode: (request) => {
        conversions.push(request);
        return convert(request);
      },
    },
    died: new Promise(() => undefined),
    terminate: () => void (ended += 1),
  });

  const pool = createTranscoderPool(() => spawn());
  const media: MusicMedia = {
    probe: async (_sha256, name) => ok(probeOutcome(probes.get(name))),
    keepCover: async () => 'cover',
    convert: (request, options) => pool.convert(request, options),
    rest: () => pool.rest(),
  };
  const replica = catalogOf(records, { index: () => index(), want: () => wantReplica() });
  const asked = typeof agent === 'function' ? agent({ records, index: () => index() }) : agent;
  const music = laneRun(
    createMusicRun({
      ...{ clock, ids, media, catalog: replica },
      settings: async () => settings,
      profile: () => tendProfile(store, clock),
      sha256: async (text) => createHash('sha256').update(text).digest('hex'),
      engine: () => asked.engine(),
    }),
  );
  const deps: RunDeps = {
    ...{ clock, ids, lanes: [music], lane: laneFinder([music]) },
    store: laneStore(store),
    agent: asked,
    agentState: memoryState(AGENT_OFF),
    paused: async () => isPaused,
    parallel: { probes: 2, conversions: 2 },
    onLocalFailure: ({ code }) => (code === 'offline' ? 'wait' : 'fail'),
    sync: { start: () => undefined, stop: () => undefined, poke: () => undefined },
    later: () => undefined,
    onError: (error) => {
      errors.push(error);
      store.tell();
    },
  };
  let run: Run | null = null;
  let running = Promise.resolve();
  let starts = 0;
  const start = async (): Promise<void> => {
    starts += 1;
    const mine = starts;
    // The store's jobs are music's. Who began before, and was not stopped, has lost the work to this one.
    const held = laneStore(store.heldWhile(() => mine === starts));
    run = new Run(
      { ...deps, store: held },
      {
        until: 'stopped',
        converting: 'The page was closed while it was converted; it is converted again',
        hasOutput: async () => true,
      },
    );
    running = run.run();
  };
  await start();
  const poke = (): void => run?.poke();
  /** As in the app: every command wakes the run. */
  const command = async <T>(work: (rows: JobRows) => Promise<T>): Promise<T> => {
    const answer = await deps.store.change(work);
    poke();
    return answer;
  };

  return {
    store,
    deps,
    /** What the catalog has: rows that a test may change. */
    records,
    settings,
    media,
    conversions,
    /** Converters that were ended. */
    ended: () => ended,
    errors,
    /** Resolves when the pipeline next asks for changes of the catalog. */
    replicaWanted: () => new Promise<void>((resolve) => (wantReplica = resolve)),
    setIndex: (replacement: typeof index | null) => {
      const before = index;
      if (replacement) index = replacement;
      return before;
    },
    setConvert: (replacement: typeof convert) => {
      convert = replacement;
    },
    /** Wraps each converter that is started from now on. */
    setSpawn: (wrap: (usual: TranscodeWorker) => TranscodeWorker) => {
      const usual = spawn;
      spawn = () => wrap(usual());
    },
    setPaused: (paused: boolean) => {
      isPaused = paused;
      poke();
    },
    start,
    stop: async () => {
      run?.stop();
      await running;
    },
    poke,
    online: () => run?.online(),
    cancel: (jobIds: readonly string[]) => command((rows) => cancelJobs(rows, deps, jobIds)),
    retry: (jobIds: readonly string[]) => command((rows) => retryJobs(rows, deps, jobIds)),
    undo: (jobIds: readonly string[]) => command((rows) => undoJobs(rows, deps, jobIds)),
    clear: (jobIds: readonly string[]) => command((rows) => clearJobs(rows, deps, jobIds)),
    pause: (jobIds: readonly string[], paused: boolean) => command((rows) => pauseJobs(rows, deps, jobIds, paused)),
    cover: (jobIds: readonly string[], cover: ChosenCover | null) =>
      command((rows) => coverJobs(rows, deps, jobIds, cover)),
    skipAgent: (jobIds: readonly string[]) => command((rows) => skipAgent(rows, deps, jobIds)),
    async askAgain(jobIds: readonly string[]) {
      const answer = await askAgain(deps, jobIds);
      poke();
      return answer;
    },
    async answerReview(reviewId: string, answer: ReviewAnswer, user = 'me') {
      const answered = await answerReview(deps, reviewId, answer, user);
      poke();
      return answered;
    },
    async takeRemoteAnswer(reviewId: string, selected: string, by: string | null): Promise<void> {
      await takeRemoteAnswer(deps, reviewId, selected, by);
      poke();
    },
    async drop(files: DroppedAudio[], batch: Parameters<typeof makeBatch>[0] = {}): Promise<void> {
      const row = makeBatch({ id: ids.next(), ...batch });
      const jobs = files.map((file) => {
        probes.set(file.name.split('/').at(-1) ?? '', file);
        const id = ids.next();
        return makeJob({
          id,
          sha256: sha(file.content ?? id),
          batch_id: row.id,
          path: file.name,
          original_filename: file.name.split('/').at(-1) ?? '',
          context_type: row.context_type,
          context_id: row.context_id,
        });
      });
      await store.put(async (rows) => {
        await rows.putBatch(row);
        for (const job of jobs) await rows.putJob(job);
      });
      poke();
    },
    /** Waits until every job is in a phase in which the run has nothing left to do. */
    async settled(): Promise<MusicJob[]> {
      const resting: MusicJob['phase'][] = ['review', 'waiting', 'published', 'duplicate', 'failed', 'cancelled'];
      for (let look = 0; look < 5000; look++) {
        const changed = store.next();
        const jobs = store.allJobs();
        const [error] = errors.filter((one) => !(starts > 1 && isLockLost(one)));
        if (error !== undefined) throw error instanceof Error ? error : new Error(String(error));
        const isSettled = jobs.every((job) => resting.includes(job.phase));
        if (isSettled && !store.allBatches().some((one) => one.rematch)) return jobs;
        await changed;
      }
      throw new Error(
        `not settled: ${store
          .allJobs()
          .map((job) => job.phase)
          .join()}`,
      );
    },
    openReviews: async (): Promise<MusicReview[]> => store.allReviews().filter((review) => review.resolved_at === null),
  };
}

/** The run hands a lane its own rows only. */
function laneStore(store: JobStore<MusicTypes>): JobStore {
  return store as unknown as JobStore;
}

function probeOutcome(file: DroppedAudio | undefined): ProbeOutcome {
  return {
    duration_ms: file?.seconds === null || file === undefined ? null : file.seconds * 1000,
    codec: 'FLAC',
    container: 'FLAC',
    bitrate: file?.lossless === false ? 128_000 : 900_000,
    sample_rate: 44_100,
    channels: 2,
    lossless: file?.lossless ?? true,
    tags: file?.tags ?? {},
    cover: null,
  };
}

export function converted(request: ConvertRequest): Converted {
  return {
    sha256: sha(request.job_id),
    size: 100,
    duration_ms: request.duration_ms ?? 0,
    conversion_reason: 'flac -> vorbis q9',
    verified: ['length'],
  };
}

/** A well-formed hash that differs by job. */
function sha(text: string): string {
  return [...text]
    .map((char) => char.charCodeAt(0).toString(16))
    .join('')
    .padEnd(64, '0')
    .slice(0, 64);
}
