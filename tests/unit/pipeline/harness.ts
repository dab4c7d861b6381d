import { MemoryJobStore, type MemoryRows, memoryState } from '#adapters/memory/job-store.ts';
import { DEFAULT_SETTINGS, type Settings } from '#core/config.ts';
import { createHash } from 'node:crypto';
import type { Batch, ReasoningStep } from '#core/job/job.ts';
import type { ReviewAnswer } from '#core/job/review.ts';
import type { TranscodeRequest } from '#adapters/browser/api.ts';
import type { ConvertRequest, ProbeOutcome } from '#core/media.ts';
import { AccessionError, failure } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import { AGENT_OFF } from '#core/run/agent-state.ts';
import { answerReview } from '#core/run/answer.ts';
import { askAgain } from '#core/run/ask-again.ts';
import { cancelJobs, clearJobs, pauseJobs, retryJobs, skipAgent, undoJobs } from '#core/run/commands.ts';
import type { JobRows } from '#core/run/job-store.ts';
import { laneRun, type Converted } from '#core/run/lane-run.ts';
import { isLockLost } from '#core/run/lock.ts';
import { laneFinder, type RunDeps } from '#core/run/ports.ts';
import { Run } from '#core/run/run.ts';
import type { OutboxItem } from '#core/sync/outbox.types.ts';
import type { Album, CatalogFile, DownloadRequest, Track } from '#lanes/music/core/catalog.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/build-index.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { tendProfile } from '#lanes/music/core/learning/calibrate.ts';
import { MemoryMusicRows } from '#lanes/music/core/learning/memory-rows.ts';
import { createMusicRun } from '#lanes/music/core/run/music-run.ts';
import type { MusicCatalog, MusicMedia } from '#lanes/music/core/run/ports.ts';
import { TranscoderPool } from '#lanes/music/browser/transcoder-pool.ts';
import type { MusicJob, MusicReview, MusicTypes } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';
import { noAgent, type FakeAgent } from './fake-agent.ts';

export interface DroppedAudio {
  name: string;
  seconds: number | null;
  tags?: ProbeOutcome['tags'];
  lossless?: boolean;
  /** Files with the same word have the same content; each has one of its own otherwise. */
  content?: string;
}

type ShortCatalog = { album: string; artist: string; year?: number; tracks: [title: string, seconds: number][] }[];

/** Rows as a test reads them, and changes them behind the run's back. */
export class TestStore extends MemoryJobStore<MusicTypes> {
  #waiting: (() => void)[] = [];

  constructor() {
    super({ music: new MemoryMusicRows() });
  }

  protected override changed(before: MemoryRows<MusicTypes>, now: MemoryRows<MusicTypes>): void {
    super.changed(before, now);
    this.tell();
  }

  /** Resolves after the next change. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  tell(): void {
    for (const resolve of this.#waiting.splice(0)) setImmediate(resolve);
  }

  allJobs = (): MusicJob[] => [...this.rows.jobMap.values()];
  allBatches = (): Batch[] => [...this.rows.batchMap.values()];
  allReviews = (): MusicReview[] => [...this.rows.reviewMap.values()];
  allOutbox = (): OutboxItem[] => [...this.rows.outboxMap.values()];
  allSteps = (): ReasoningStep[] => [...this.rows.stepMap.values()].flat();

  /** As another tab does: the run of this one is refused from now on. */
  takeOver(): void {
    this.change = () => Promise.reject(new AccessionError(failure('conflict', 'Another tab has taken over the work.')));
  }

  /** What a test says of a row, whatever it was. */
  patchJob(id: string, patch: Partial<MusicJob>): Promise<void> {
    return super.change(async (rows) => {
      const job = await rows.job(id);
      if (job) await rows.putJob({ ...job, ...patch } as MusicJob);
    });
  }

  put(work: (rows: JobRows<MusicTypes>) => Promise<void>): Promise<void> {
    return super.change(work);
  }
}

/** The run of the app over rows in memory with a made-up catalog; probing and converting answer what the test says. */
export async function openPipeline(
  catalog: ShortCatalog | CatalogFile,
  agent: FakeAgent | ((world: { index(): Promise<CatalogIndex | null> }) => FakeAgent) = noAgent,
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

  const pool = new TranscoderPool(() => ({
    api: {
      transcode: (request) => {
        conversions.push(request);
        return convert(request);
      },
    },
    died: new Promise(() => undefined),
    terminate: () => void (ended += 1),
  }));
  const media: MusicMedia = {
    probe: async (_sha256, name) => ok(probeOutcome(probes.get(name))),
    keepCover: async () => 'cover',
    convert: (request, options) => pool.convert(request, options),
    rest: () => pool.rest(),
  };
  const replica: MusicCatalog = {
    index: () => index(),
    want: () => wantReplica(),
    id: async () => null,
    tracks: async (wanted) => wanted.flatMap((id) => records.tracks.get(id) ?? []),
    albums: async (wanted) => wanted.flatMap((id) => records.albums.get(id) ?? []),
    madeFrom: async (contents) =>
      new Map(
        [...records.tracks.values()].flatMap((track) =>
          track.availability === 'available' && contents.includes(track.original_sha256 ?? '')
            ? [[track.original_sha256 ?? '', track]]
            : [],
        ),
      ),
    request: async (id) => records.requests.get(id),
    held: () => new Map(),
  };
  const asked = typeof agent === 'function' ? agent({ index: () => index() }) : agent;
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
    // The store's jobs are music's.
    store: store as unknown as RunDeps['store'],
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
    run = new Run(deps, {
      until: 'stopped',
      converting: 'The page was closed while it was converted; it is converted again',
      hasOutput: async () => true,
    });
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

function recordsOf(catalog: ShortCatalog | CatalogFile) {
  const whole = Array.isArray(catalog) ? null : catalog;
  const short = Array.isArray(catalog) ? catalog : [];
  const albums: Album[] = (whole?.albums ?? []).map((album) => ({
    ...album,
    year: album.year ?? null,
    is_compilation: album.is_compilation ?? false,
    discs: album.discs ?? 1,
    track_count: album.track_count ?? whole?.tracks.filter((track) => track.album_id === album.id).length ?? 0,
  }));
  const tracks: Track[] = (whole?.tracks ?? []).map((track) => ({
    ...track,
    duration_ms: track.duration_ms ?? null,
    availability: 'missing',
  }));
  const named = [...new Set(short.map((one) => one.artist))].map((name, at) => ({ id: `ar${at}`, name }));
  const artists = whole ? whole.artists : named;
  short.forEach((one, at) => {
    const artist_id = artists.find((artist) => artist.name === one.artist)?.id ?? '';
    const shared = { artist_id, artist: one.artist };
    albums.push({
      ...{ id: `al${at}`, title: one.album, ...shared, year: one.year ?? null },
      ...{ is_compilation: false, discs: 1, track_count: one.tracks.length },
    });
    one.tracks.forEach(([title, seconds], n) => {
      tracks.push({
        ...{ id: `tr${at}-${n + 1}`, album_id: `al${at}`, title, ...shared, disc: 1, position: n + 1 },
        ...{ duration_ms: seconds * 1000, availability: 'missing' },
      });
    });
  });
  const records = {
    artists: new Map(artists.map((artist) => [artist.id, artist])),
    albums: new Map(albums.map((album) => [album.id, album])),
    tracks: new Map(tracks.map((track) => [track.id, track])),
    requests: new Map<string, DownloadRequest>(),
    now: () => ({
      artists: [...records.artists.values()],
      albums: [...records.albums.values()],
      tracks: [...records.tracks.values()],
    }),
    patchTrack(id: string, patch: Partial<Track>): void {
      const track = records.tracks.get(id);
      if (track) records.tracks.set(id, { ...track, ...patch });
    },
  };
  return records;
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
