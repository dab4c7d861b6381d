import 'fake-indexeddb/auto';
import { AccessionDb } from '#adapters/browser/db.ts';
import { PipelineRunner, type RunnerDeps } from '#adapters/browser/pipeline/runner.ts';
import { isLockLost, nextEpoch } from '#adapters/browser/pipeline/apply.ts';
import type { ProbeOutcome, TranscodeDone, TranscodeRequest } from '#adapters/browser/api.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import type { Job } from '#core/job/job.ts';
import type { Album, CatalogFile, Track } from '#core/music/catalog.ts';
import { buildCatalogIndex } from '#core/music/search.ts';
import type { BlobStore } from '#core/ports.ts';
import { ok, type Result } from '#core/result.ts';
import { noAgent } from './fake-agent.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';

export interface DroppedAudio {
  name: string;
  seconds: number | null;
  tags?: ProbeOutcome['tags'];
  lossless?: boolean;
  /** Files with the same word have the same content; each has one of its own otherwise. */
  content?: string;
}

/** A pipeline over fake-indexeddb with a made-up catalog; probing and converting answer what the test says. */
export async function openPipeline(
  catalog: { album: string; artist: string; year?: number; tracks: [title: string, seconds: number][] }[] | CatalogFile,
  agent:
    RunnerDeps['agent'] | ((world: { db: AccessionDb; index: RunnerDeps['index'] }) => RunnerDeps['agent']) = noAgent,
) {
  const db = new AccessionDb(`test-${crypto.randomUUID()}`);
  const changes = watchChanges(db);
  const clock = testClock();
  const ids = countingIds();
  const probes = new Map<string, DroppedAudio>();
  const conversions: TranscodeRequest[] = [];
  const errors: unknown[] = [];
  let convert: (request: TranscodeRequest) => Promise<Result<TranscodeDone>> = async (request) =>
    ok(converted(request));

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
    albums.push({
      id: `al${at}`,
      title: one.album,
      artist_id,
      artist: one.artist,
      year: one.year ?? null,
      is_compilation: false,
      discs: 1,
      track_count: one.tracks.length,
    });
    one.tracks.forEach(([title, seconds], n) => {
      tracks.push({
        id: `tr${at}-${n + 1}`,
        album_id: `al${at}`,
        title,
        artist_id,
        artist: one.artist,
        disc: 1,
        position: n + 1,
        duration_ms: seconds * 1000,
        availability: 'missing',
      });
    });
  });
  await db.artists.bulkPut(artists);
  await db.albums.bulkPut(albums);
  await db.tracks.bulkPut(tracks);

  let wantReplica = (): void => undefined;
  let index: RunnerDeps['index'] = async () =>
    buildCatalogIndex({
      artists: await db.artists.toArray(),
      albums: await db.albums.toArray(),
      tracks: await db.tracks.toArray(),
    });

  const blobs: BlobStore & { file(sha256: string): Promise<Blob> } = {
    put: async () => ({ sha256: 'cover', size: 1 }),
    size: async () => 1,
    read: async function* () {
      yield new Uint8Array();
    },
    delete: async () => undefined,
    list: async function* () {},
    file: async () => new Blob([]),
  };
  const deps: RunnerDeps = {
    db,
    clock,
    ids,
    blobs,
    probe: async (_blob, name) => {
      const file = probes.get(name);
      return ok({
        duration_ms: file?.seconds === null || file === undefined ? null : file.seconds * 1000,
        codec: 'FLAC',
        container: 'FLAC',
        bitrate: file?.lossless === false ? 128_000 : 900_000,
        sample_rate: 44_100,
        channels: 2,
        lossless: file?.lossless ?? true,
        tags: file?.tags ?? {},
        cover: null,
      });
    },
    index: () => index(),
    settings: async () => DEFAULT_SETTINGS,
    agent: typeof agent === 'function' ? agent({ db, index: () => index() }) : agent,
    wantReplica: () => wantReplica(),
    spawn: () => ({
      api: {
        transcode: (request) => {
          conversions.push(request);
          return convert(request);
        },
      },
      died: new Promise(() => undefined),
      terminate: () => undefined,
    }),
    size: 2,
    sync: {
      start: () => undefined,
      stop: () => undefined,
      poke: () => undefined,
      syncNow: async () => 0,
      tryOne: async () => undefined,
    },
    later: () => undefined,
    onError: (error) => {
      errors.push(error);
      changes.tell();
    },
  };
  let runner: PipelineRunner | null = null;
  let running = Promise.resolve();

  let starts = 0;
  const start = async (): Promise<void> => {
    starts += 1;
    runner = new PipelineRunner(deps, await nextEpoch(db));
    running = runner.run();
  };
  await start();

  return {
    db,
    deps,
    conversions,
    errors,
    /** Resolves when the pipeline next asks for changes of the catalog. */
    replicaWanted: () => new Promise<void>((resolve) => (wantReplica = resolve)),
    setIndex: (replacement: RunnerDeps['index'] | null) => {
      const before = index;
      if (replacement) index = replacement;
      return before;
    },
    setConvert: (run: typeof convert) => {
      convert = run;
    },
    start,
    stop: async () => {
      runner?.stop();
      await running;
    },
    poke: () => runner?.poke(),
    online: () => runner?.online(),
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
      await db.transaction('rw', db.batches, db.jobs, async () => {
        await db.batches.put(row);
        await db.jobs.bulkPut(jobs);
      });
      runner?.poke();
    },
    /** Waits until every job is in a phase in which the pipeline has nothing left to do. */
    async settled(): Promise<Job[]> {
      const resting: Job['phase'][] = ['review', 'waiting', 'published', 'duplicate', 'failed', 'cancelled'];
      for (let look = 0; look < 2000; look++) {
        const changed = changes.next();
        // One look at both: between two a plan may be applied.
        const [jobs, batches] = await db.transaction('r', db.jobs, db.batches, () =>
          Promise.all([db.jobs.toArray(), db.batches.toArray()]),
        );
        const [error] = errors.filter((one) => !(starts > 1 && isLockLost(one)));
        if (error !== undefined) throw error instanceof Error ? error : new Error(String(error));
        if (jobs.every((job) => resting.includes(job.phase)) && !batches.some((batch) => batch.rematch)) return jobs;
        await changed;
      }
      throw new Error(`not settled: ${(await db.jobs.toArray()).map((job) => job.phase).join()}`);
    },
    openReviews: async () => (await db.reviews.toArray()).filter((review) => review.resolved_at === null),
  };
}

/** Tells of writes, so that nobody has to look again and again: each look reads every row. */
function watchChanges(db: AccessionDb): { tell(): void; next(): Promise<void> } {
  let waiting: (() => void)[] = [];
  const tell = (): void => {
    // Later: outside of the transaction that writes, and once for what it writes in one go.
    for (const resolve of waiting) setImmediate(resolve);
    waiting = [];
  };
  db.use({
    stack: 'dbcore',
    name: 'watch',
    create: (core) => ({
      ...core,
      table: (name) => {
        const table = core.table(name);
        if (name !== 'jobs' && name !== 'batches') return table;
        return {
          ...table,
          mutate: (request) => {
            tell();
            return table.mutate(request);
          },
        };
      },
    }),
  });
  return { tell, next: () => new Promise((resolve) => waiting.push(resolve)) };
}

export function converted(request: TranscodeRequest): TranscodeDone {
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
