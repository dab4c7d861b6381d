/**
 * Sync on the workstation, run by the tab that holds the lock. A turn decides from stored state what is due;
 * four lanes then work side by side, so that a slow one never holds up another.
 *
 *   turn --> [ pull: change feed -> replica ] [ outbox: at most 3 items ] [ mirror: jobs, reviews ]
 *    ^       [ elsewhere: jobs and questions of other workstations ] -----------> arm one timer
 *    |                                                                                |
 *    +---- poke, socket hint, `online`, end of a task, timer <------------------------+
 *
 * While the server is not known to answer, only the pull runs: one probe with back-off instead of one an item.
 */
import { failure, toFailure, type Failure } from '#core/errors.ts';
import { randomIds } from '#core/ids.ts';
import { isFinished } from '#core/job/job.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { BACKOFF_CAP_MS, backoffMs, type Random } from '#core/sync/backoff.ts';
import { answered, failedWith, gate, STARTING, tokenSeen, tryNow, type Connection } from '#core/sync/connection.ts';
import type { OutboxItem } from '#core/sync/outbox.types.ts';
import type { CommitResponse } from '#core/sync/protocol.ts';
import type { CatalogClient } from '../http/catalog-client.ts';
import type { CatalogSocket, SocketHint, Timers } from '../http/socket.ts';
import type { Uploader } from '../http/upload.ts';
import type { AccessionDb } from './db.ts';
import { createElsewhere, type Elsewhere } from './elsewhere.ts';
import { noteLost, noteRestart, noteSaidLost, restartPending } from './lost-results.ts';
import { notePlansHeard } from './meta.ts';
import { createMirror, type Mirror, type MirrorOptions } from './mirror.ts';
import {
  applyOutboxEvent,
  nextOfOutbox,
  recoverOutbox,
  retryParked,
  retryWaiting,
  type OutboxContext,
} from './outbox-store.ts';
import { runOutboxItem } from './outbox-task.ts';
import { assertEpoch, currentEpoch } from './pipeline/apply.ts';
import { createReplica, type Replica } from './replica.ts';
import type { SnapshotClient } from './replica-snapshot.ts';
import { keepServerDefaults } from './server-defaults.ts';
import { pullShows } from './show-replica.ts';
import { saveSyncState } from './sync-state.ts';

export interface SyncRunnerOptions {
  db: AccessionDb;
  client: Pick<CatalogClient, 'changes' | 'commit' | 'mirror' | 'config'> &
    Partial<SnapshotClient & Pick<CatalogClient, 'jobs' | 'reviews' | 'showChanges'>>;
  upload: Uploader;
  token: () => Promise<string | null>;
  clock: Clock;
  random: Random;
  timers: Timers;
  ids?: Ids;
  /** Makes the socket; it is only a hint and may be left out. */
  socket?: (onHint: (hint: SocketHint) => void) => CatalogSocket;
  /** `online` and `offline` events: `self` in a worker. */
  network?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  /** After the transaction that completed the job. */
  onPublished(jobId: string, response: CommitResponse): void;
  /** Inside the transaction that parks the item, with its job: Dexie calls over `jobTables` only. */
  onParked: OutboxContext['onParked'];
  /** As `onParked`: the track has audio already; ask "keep or replace" and delete the row when the question took over. */
  onConflict: OutboxContext['onConflict'];
  onRemoteAnswer: MirrorOptions['onRemoteAnswer'];
  onRemoteCancel?: NonNullable<MirrorOptions['onRemoteCancel']>;
}

/** The feed is read at least this often, whatever the socket says. */
const POLL_MS = 30_000;
/** Hints come in bursts; they are answered together. */
const HINT_MS = 200;
const MIRROR_EVERY_MS = 1_000;
/** What others do is read anew at most this often, whatever the socket says. */
const ELSEWHERE_EVERY_MS = 1_000;
/** No lane is ever due later than this; a time beyond it comes from a clock that was wrong (SYNC-9). */
const LONGEST_MS = BACKOFF_CAP_MS;

export class SyncRunner {
  readonly #options: SyncRunnerOptions;
  readonly #replica: Replica;
  readonly #mirror: Mirror;
  readonly #elsewhere: Elsewhere;
  readonly #socket: CatalogSocket | null;
  readonly #tasks = new Map<string, AbortController>();
  readonly #work = new Set<Promise<void>>();
  #stopped = new AbortController();
  #context: OutboxContext | null = null;
  #connection: Connection = STARTING;
  #token: string | null = null;
  #turning = false;
  #again = false;
  #timer: unknown = null;
  #pulling = false;
  #mirroring = false;
  #looking = false;
  #pullingShows = false;
  #showsDue = false;
  #ask = true;
  #mirrorFailures = 0;
  /** When each lane is due; milliseconds since the epoch. */
  #pullAt = 0;
  #mirrorAt = 0;
  #elsewhereAt = 0;
  #outboxAt: number | null = null;

  constructor(options: SyncRunnerOptions) {
    this.#options = options;
    this.#replica = createReplica({ ...options, onRestart: () => noteRestart(options.db, options.clock) });
    const onLost = (jobIds: string[]) => noteSaidLost(options.db, options.clock, jobIds);
    this.#mirror = createMirror({ ...options, onLost });
    this.#elsewhere = createElsewhere(options);
    this.#socket = options.socket?.((hint) => this.#track(this.#hint(hint))) ?? null;
  }

  /** Takes the epoch of the lock holder that calls it; what was under way goes back to waiting. */
  async start(): Promise<void> {
    const { db, clock, random, ids, network, onParked, onConflict } = this.#options;
    this.#stopped = new AbortController();
    this.#context = { db, clock, random, ids: ids ?? randomIds, epoch: await currentEpoch(db), onParked, onConflict };
    await recoverOutbox(this.#context);
    for (const name of ['online', 'offline']) network?.addEventListener(name, this.#onNetwork);
    this.#socket?.start();
    this.#kick();
  }

  /** Stops everything; items under way go back to waiting. Answers when nothing runs any more. */
  async stop(): Promise<void> {
    this.#context = null;
    for (const name of ['online', 'offline']) this.#options.network?.removeEventListener(name, this.#onNetwork);
    this.#socket?.stop();
    this.#disarm();
    this.#stopped.abort();
    for (const abort of this.#tasks.values()) abort.abort();
    await this.idle();
  }

  /** The database changed, or a token was stored: look again. */
  poke(): void {
    this.#mirrorAt = Math.min(this.#mirrorAt, this.#now() + MIRROR_EVERY_MS);
    this.#kick();
  }

  /** The catalog here may be too old for what is wanted of it: read the change feed soon. */
  wantReplica(): void {
    this.#pullAt = Math.min(this.#pullAt, this.#now() + HINT_MS);
    this.#kick();
  }

  /** A person wants it now: no timer and no pause is waited for. Answers how many items wait. */
  async syncNow(): Promise<number> {
    this.#connection = tryNow(this.#connection);
    this.#pullAt = this.#mirrorAt = this.#elsewhereAt = this.#now();
    this.#ask = true;
    const waiting = this.#context === null ? 0 : await retryWaiting(this.#context, 'retry');
    this.#socket?.poke();
    this.#kick();
    return waiting;
  }

  /** A person wants this one now, with what it depends on; the server is asked whatever was known of it. */
  async tryOne(key: string): Promise<void> {
    this.#connection = tryNow(this.#connection);
    this.#pullAt = this.#now();
    this.#socket?.poke();
    await this.retry(key);
  }

  /** Takes a parked item up again, with what hangs together with it. Answers how many items that are. */
  async retry(key: string): Promise<number> {
    const count = this.#context === null ? 0 : await retryParked(this.#context, key);
    this.#kick();
    return count;
  }

  /** Answers once nothing is under way; timers may still be armed. */
  async idle(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  readonly #onNetwork = (): void => {
    // `online` and `offline` speak of the network card; a server on this machine does not care. Ask it.
    this.#connection = tryNow(this.#connection);
    this.#pullAt = this.#now();
    this.#socket?.poke();
    this.#kick();
  };

  async #hint(hint: SocketHint): Promise<void> {
    this.#pullAt = Math.min(this.#pullAt, this.#now() + HINT_MS);
    if (hint.type === 'connected') this.#askSoon();
    else if (hint.type === 'resync') this.#lookSoon();
    else if (hint.type === 'IngestionUpdate') {
      const job = await this.#options.db.jobs.get(hint.job_id);
      // It waits for an answer here and no longer there: somebody answered. Or it ended there and not here.
      const answered = !hint.needs_review && job?.status === 'AWAITING_REVIEW';
      if (answered || (job !== undefined && hint.status === 'FAILED' && !isFinished(job))) this.#askSoon();
      if (await this.#elsewhere.hear(hint)) this.#lookSoon();
    }
    this.#kick();
    // VIDEO-95: also where a word may have been missed.
    if (hint.type !== 'IngestionUpdate' && hint.type !== 'CatalogChanged') await notePlansHeard(this.#options.db);
  }

  #lookSoon(): void {
    this.#elsewhereAt = Math.min(this.#elsewhereAt, this.#now() + ELSEWHERE_EVERY_MS);
  }

  #askSoon(): void {
    this.#ask = true;
    this.#mirrorAt = Math.min(this.#mirrorAt, this.#now() + HINT_MS);
  }

  #kick(): void {
    this.#again = true;
    if (this.#turning || this.#context === null) return;
    this.#turning = true;
    this.#track(
      this.#turns().finally(() => {
        this.#turning = false;
      }),
    );
  }

  async #turns(): Promise<void> {
    while (this.#again && this.#context !== null) {
      this.#again = false;
      await this.#turn(this.#context);
    }
  }

  async #turn(context: OutboxContext): Promise<void> {
    this.#disarm();
    this.#token = await this.#options.token();
    this.#connection = tokenSeen(this.#connection, this.#token);
    this.#outboxAt = null;
    if (gate(this.#connection, this.#now()) === 'open') {
      if (this.#connection.state !== 'ok') await this.#pull(context);
      else if (this.#due(this.#pullAt)) this.#track(this.#pull(context));
    }
    await this.#pump(context);
    if (this.#open() && this.#due(this.#mirrorAt)) this.#track(this.#pushMirror());
    if (this.#open() && this.#due(this.#elsewhereAt)) this.#track(this.#look());
    await saveSyncState(this.#options.db, this.#connection, this.#outboxAt);
    this.#arm();
  }

  #open(): boolean {
    return this.#connection.state === 'ok' && gate(this.#connection, this.#now()) === 'open';
  }

  async #pull(context: OutboxContext): Promise<void> {
    if (this.#pulling) return;
    this.#pulling = true;
    this.#pullAt = this.#now() + POLL_MS;
    const before = this.#connection.state;
    const token = this.#token;
    try {
      const outcome = await this.#replica.pull(this.#stopped.signal);
      if (!outcome.ok) return this.#noteFailure(asProbe(outcome.failure), token);
      this.#connection = answered(this.#connection, this.#now());
      this.#track(this.#pullShows());
      // Noted in the database: the pull that began anew may have been cut off, and another one have ended it.
      if (await restartPending(this.#options.db)) {
        await this.#mirror.reset();
        await noteLost(this.#options.db, this.#options.clock);
      }
      if (before === 'ok') return;
      // Reached again: what failed for want of a server is due at once.
      await retryWaiting(context, 'reconnected');
      this.#mirrorAt = this.#elsewhereAt = this.#now();
      this.#ask = true;
      this.#socket?.poke();
      this.#track(this.#askDefaults());
    } catch (error) {
      // The server answered, this browser could not store it (full, or closing). The outbox may go on.
      this.#connection = { ...answered(this.#connection, this.#now()), message: toFailure(error).message };
      await assertEpoch(this.#options.db, context.epoch);
    } finally {
      this.#pulling = false;
      this.#kick();
    }
  }

  /** The music does not wait for them: a failure here is tried again with the next pull. */
  async #pullShows(): Promise<void> {
    const { client, db } = this.#options;
    const { showChanges } = client;
    this.#showsDue = showChanges !== undefined;
    if (this.#pullingShows || showChanges === undefined) return;
    this.#pullingShows = true;
    try {
      while (this.#showsDue) {
        this.#showsDue = false;
        await pullShows(db, { showChanges }, this.#stopped.signal);
      }
    } finally {
      this.#pullingShows = false;
    }
  }

  /** Once whenever the server is reached: an administrator may have changed accession.toml meanwhile. */
  async #askDefaults(): Promise<void> {
    const { client, db } = this.#options;
    await keepServerDefaults(db, await client.config(this.#stopped.signal));
  }

  async #pump(context: OutboxContext): Promise<void> {
    for (;;) {
      const authorized = this.#connection.state !== 'unauthorized';
      const { action, active } = await nextOfOutbox(this.#options.db, this.#now(), this.#open(), authorized);
      // Under way, says the row, but nobody works on it: a write failed in between.
      const orphan = active.find((item) => !this.#tasks.has(item.key));
      if (orphan !== undefined) {
        const reason = failure('internal', `Publishing "${orphan.body.original_filename}" broke off on this device.`);
        await applyOutboxEvent(context, orphan, { type: 'failed', failure: reason });
        continue;
      }
      if (action.type === 'run') await this.#begin(context, action.item);
      else if (action.type === 'block')
        await applyOutboxEvent(context, action.item, { type: 'blocked', by: action.by });
      else {
        this.#outboxAt = action.type === 'wait' ? action.until : null;
        return;
      }
    }
  }

  async #begin(context: OutboxContext, item: OutboxItem): Promise<void> {
    const step = await applyOutboxEvent(context, item, { type: 'start' });
    const started = step?.item;
    if (started?.state !== 'uploading') return;
    const abort = new AbortController();
    this.#tasks.set(item.key, abort);
    this.#track(this.#runTask(context, started, abort));
  }

  async #runTask(context: OutboxContext, item: OutboxItem, abort: AbortController): Promise<void> {
    const { client, upload } = this.#options;
    const token = this.#token;
    try {
      const end = await runOutboxItem({ context, client, upload, abort }, item);
      if (end.type === 'failed') this.#noteFailure(end.failure, token);
      if (end.type !== 'published') return;
      this.#connection = answered(this.#connection, this.#now());
      // The track is available now: let the replica see it even without a socket.
      this.#pullAt = Math.min(this.#pullAt, this.#now() + HINT_MS);
      this.#mirrorAt = Math.min(this.#mirrorAt, this.#now() + HINT_MS);
      this.#options.onPublished(item.job_id, end.response);
    } finally {
      this.#tasks.delete(item.key);
      this.#kick();
    }
  }

  async #pushMirror(): Promise<void> {
    if (this.#mirroring) return;
    this.#mirroring = true;
    this.#mirrorAt = this.#now() + POLL_MS;
    const ask = this.#ask;
    const token = this.#token;
    this.#ask = false;
    try {
      const outcome = await this.#mirror.push(ask, this.#stopped.signal);
      if (outcome.ok) this.#mirrorFailures = 0;
      else {
        this.#ask ||= ask;
        this.#mirrorFailures += 1;
        this.#mirrorAt = this.#now() + backoffMs(this.#mirrorFailures, this.#options.random);
        if (CONNECTION_CODES.includes(outcome.failure.code)) this.#noteFailure(outcome.failure, token);
      }
    } finally {
      this.#mirroring = false;
      this.#kick();
    }
  }

  /** What others do is only shown: a failure here is the other lanes' to judge. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    this.#elsewhereAt = this.#now() + POLL_MS;
    try {
      await this.#elsewhere.pull();
    } finally {
      this.#looking = false;
      this.#kick();
    }
  }

  /** `token`: the one that the failed request was begun with. A newer one is not judged by its refusal. */
  #noteFailure(reason: Failure, token: string | null): void {
    if ((reason.code === 'unauthorized' || reason.code === 'forbidden') && token !== this.#token) return;
    this.#connection = failedWith(this.#connection, reason, { now: this.#now(), random: this.#options.random, token });
  }

  /** Exactly one timer, and never none while running: at the latest the next poll looks at everything again. */
  #arm(): void {
    if (this.#context === null) return;
    const now = this.#now();
    const at = [
      now + POLL_MS,
      this.#pullAt,
      this.#mirrorAt,
      this.#elsewhereAt,
      this.#outboxAt ?? Infinity,
      this.#connection.next_try_at ?? Infinity,
    ];
    const waits =
      gate(this.#connection, now) === 'open' ? at : [now + POLL_MS, this.#connection.next_try_at ?? Infinity];
    this.#armIn(Math.max(0, Math.min(...waits) - now));
  }

  #armIn(ms: number): void {
    this.#disarm();
    this.#timer = this.#options.timers.set(() => this.#kick(), ms);
  }

  #disarm(): void {
    if (this.#timer !== null) this.#options.timers.clear(this.#timer);
    this.#timer = null;
  }

  #due(at: number): boolean {
    const wait = at - this.#now();
    return wait <= 0 || wait > LONGEST_MS;
  }

  #now(): number {
    return this.#options.clock.now();
  }

  /** Keeps hold of work in the background. An error that nobody foresaw ends no lane for good. */
  #track(work: Promise<void>): void {
    const held: Promise<void> = work
      .catch((error: unknown) => this.#onError(error))
      .finally(() => this.#work.delete(held));
    this.#work.add(held);
  }

  async #onError(error: unknown): Promise<void> {
    const context = this.#context;
    if (context === null) return;
    try {
      await assertEpoch(this.#options.db, context.epoch);
    } catch {
      // Another tab has the lock, or the database is closed: this runner is over. `stop` would wait for us.
      this.#context = null;
      this.#socket?.stop();
      this.#disarm();
      return;
    }
    this.#connection = { ...this.#connection, message: toFailure(error).message };
    this.#armIn(POLL_MS);
  }
}

/** Failures that say something about the connection, whoever meets them. */
const CONNECTION_CODES: readonly string[] = ['offline', 'unauthorized', 'forbidden', 'rate_limited'];

/** A catalog server has a change feed; an address that refuses one leads somewhere else. */
function asProbe(reason: Failure): Failure {
  return [...CONNECTION_CODES, 'server_error', 'cancelled'].includes(reason.code)
    ? reason
    : { ...reason, code: 'server_error' };
}

export function createSyncRunner(options: SyncRunnerOptions): SyncRunner {
  return new SyncRunner(options);
}
