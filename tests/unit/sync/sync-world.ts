import { expect } from 'vitest';
import { SyncRunner } from '#adapters/browser/sync/sync-runner.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { nextEpoch } from '#adapters/browser/job-store.ts';
import type { ChangesAnswer } from '#lanes/music/http/catalog-client.ts';
import { syncedReplica } from '#lanes/music/browser/open-music.ts';
import type { CatalogSocket, SocketHint } from '#adapters/http/socket.ts';
import { failure, type FailureCode } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { enqueue as enqueueItem } from '#core/run/outbox.ts';
import type { CommitRequest, CommitResponse, MirrorRequest, MirrorResponse } from '#core/sync/protocol.ts';
import { countingIds, makeBatch, makeJob } from '../../fixtures/job.ts';
import { musicStation } from '../../fixtures/music-station.ts';
import { accepted, outboxItem, SHA_A } from './fixtures.ts';
import { openDb, turnedTime } from './world.ts';

export const refusal = (code: FailureCode, retryAfterMs?: number) =>
  fail<never>(failure(code, `said ${code}`, retryAfterMs === undefined ? {} : { retryAfterMs }));

/** A catalog server as sync sees it, in memory: idempotent commits, and faults where the test wants them. */
export class FakeServer {
  token = 'good';
  up = true;
  /** What was accepted, by idempotency key; and how often each track was published. */
  readonly answers = new Map<string, CommitResponse>();
  readonly published: string[] = [];
  readonly uploads = new Set<string>();
  readonly calls: string[] = [];
  resolved: MirrorResponse['resolved_reviews'] = [];
  catalog = 'cat-1';
  /** What GET /v1/config answers; an older server has none. */
  config: Result<unknown> = refusal('not_found');
  /** What the token may, as GET /v1/me says; null: an older server, which has no such route and asks for nothing. */
  scopes: string[] | null = null;
  /** Called before a commit or an upload; an answer stands for the server's. May be slow. */
  onCommit: ((body: CommitRequest, key: string) => Promise<Result<CommitResponse> | null> | null) | null = null;
  onUpload: ((name: string, fresh: boolean) => Promise<Result<never> | null> | null) | null = null;
  onMirror: (() => Promise<Result<MirrorResponse> | null> | null) | null = null;
  /** Before it is said whose the token is that was asked about. */
  onMe: (() => Promise<void>) | null = null;
  onChanges: (() => Promise<Result<ChangesAnswer> | null> | null) | null = null;

  /** @param writes the token must be allowed to work for this */
  refuses(token: string, writes = false): Result<never> | null {
    if (!this.up) return refusal('offline');
    if (writes && this.scopes?.every((scope) => scope === 'ReadCatalog') === true) return refusal('forbidden');
    return token === this.token ? null : refusal('unauthorized');
  }

  accept(body: CommitRequest, key: string): CommitResponse {
    const before = this.answers.get(key);
    if (before) return before;
    const answer = accepted(key);
    this.answers.set(key, answer);
    this.published.push(body.track_id);
    return answer;
  }
}

export interface Workstation {
  runner: SyncRunner;
  /** Starts the runner, again where it was stopped. */
  start(): Promise<void>;
  hint(hint: SocketHint): void;
  published: string[];
  remote: string[];
}

/** A workstation's database, a fake server, and time that is turned by hand. */
export function syncWorld() {
  const db = openDb();
  const time = turnedTime();
  const ids = countingIds('step');
  const station = musicStation(db, { clock: time, ids });
  const store = station.store();
  const server = new FakeServer();
  const network = new EventTarget();
  const session = { token: 'good' as string | null };
  const guarded = async <T>(what: string, work: () => Promise<Result<T>>): Promise<Result<T>> => {
    server.calls.push(what);
    if (session.token === null) return refusal('unauthorized');
    return server.refuses(session.token, what !== 'changes') ?? work();
  };

  const changes = (): Promise<Result<ChangesAnswer>> =>
    guarded('changes', async () => {
      const fault = await server.onChanges?.();
      if (fault) return fault;
      const page = { items: [], next_cursor: `${server.catalog}.0`, more: false, catalog_id: server.catalog };
      return ok<ChangesAnswer>({ kind: 'page', page });
    });

  async function open(): Promise<Workstation> {
    const epoch = await nextEpoch(db);
    const said: Pick<Workstation, 'published' | 'remote'> = { published: [], remote: [] };
    let hint: (one: SocketHint) => void = () => undefined;
    const runner = new SyncRunner({
      ...{ db, clock: time, timers: time, random: () => 0.999999, ids, network, lane: station.lane },
      token: async () => session.token,
      replicas: [syncedReplica(db, { changes }, time)],
      socket: (onHint): CatalogSocket => {
        hint = onHint;
        return { start: () => undefined, stop: () => undefined, poke: () => undefined };
      },
      publish: {
        upload: (upload) =>
          guarded(`upload ${upload.name}`, async () => {
            const fault = await server.onUpload?.(upload.name, upload.fresh);
            if (upload.signal.aborted) return refusal('cancelled');
            if (fault) return fault;
            upload.onProgress(upload.size);
            server.uploads.add(upload.sha256);
            return ok({ sent: upload.size, resumed_from: 0 });
          }),
        commit: (body, key) =>
          guarded(`commit ${key}`, async () => {
            const fault = await server.onCommit?.(body, key);
            return fault ?? ok(server.accept(body, key));
          }),
      },
      client: {
        config: async () => server.config,
        me: async () => {
          const name = session.token === 'good' ? 'Ada' : 'Vera';
          await server.onMe?.();
          return server.scopes === null
            ? refusal('not_found')
            : ok({ user_id: 'u1', name, scopes: server.scopes, link: false, expires_at: null });
        },
        mirror: (body: MirrorRequest) =>
          guarded(
            `mirror ${body.jobs.length}`,
            async () => (await server.onMirror?.()) ?? ok({ resolved_reviews: server.resolved }),
          ),
      },
      onPublished: (jobId) => void said.published.push(jobId),
      onRemoteAnswer: (id, option, by) => void said.remote.push(`${id} ${option} ${by}`),
    });
    const start = (): Promise<void> => runner.start(station.store(epoch), epoch);
    await start();
    return { runner, start, hint: (one) => hint(one), ...said };
  }

  /** An approved, converted file: its job and its outbox item. */
  async function enqueue(key: string, track = key): Promise<void> {
    const { body } = outboxItem(key);
    await db.batches.put(makeBatch());
    await db.jobs.put(
      makeJob({
        id: body.job_id,
        original_filename: `${key}.flac`,
        phase: 'waiting',
        sync: 'waiting',
        matched_track_id: `t-${track}`,
        evidence: { file_id: body.job_id, path: `${key}.flac`, duration_ms: 60_000, tags: {} },
        output_sha256: SHA_A,
        updated_at: time.now(),
      }),
    );
    await put(key, { ...body, track_id: `t-${track}` });
  }

  /** An item of the outbox alone. */
  async function put(key: string, body: Parameters<typeof enqueueItem>[2]): Promise<void> {
    await store.change((rows) => enqueueItem(rows, { clock: time, ids }, body, key));
  }

  /** Lets time pass in steps, with everything done in between, as a real evening would. */
  async function live(runner: SyncRunner, ms: number, step = 500): Promise<void> {
    await runner.idle();
    for (let passed = 0; passed < ms; passed += step) {
      time.pass(step);
      await runner.idle();
    }
  }

  return { db, time, ids, store, lane: station.lane, server, network, session, open, enqueue, put, live };
}

export async function jobOf(db: AccessionDb, key: string) {
  const job = await db.jobs.get(`j-${key}`);
  if (!job) throw new Error(`no job ${key}`);
  return job;
}

/** Jobs whose result the server refused for good, with its code. */
export async function refusedJobs(db: AccessionDb): Promise<string[]> {
  const failed = await db.jobs.filter((job) => job.phase === 'failed').toArray();
  expect(
    await db.outbox
      .where('job_id')
      .anyOf(failed.map((job) => job.id))
      .count(),
  ).toBe(0);
  return failed.map((job) => `${job.id} ${job.failure?.code ?? ''}`);
}

/** Jobs that a person is asked about because the server has something for their track already. */
export async function conflictedJobs(db: AccessionDb): Promise<string[]> {
  const open = await db.reviews.filter((one) => one.kind === 'replace' && one.resolved_at === null).toArray();
  return open.flatMap((one) => one.job_ids);
}
