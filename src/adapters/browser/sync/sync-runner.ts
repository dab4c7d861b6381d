/**
 * Sync on the workstation, run by the tab that holds the lock. A turn decides from stored state what is due;
 * four tasks then work side by side, so that a slow one never holds up another.
 *
 *   turn --> [ pull: change feed -> replica ] [ outbox: at most 3 items ] [ mirror: jobs, reviews ]
 *    ^       [ remote: jobs and questions of other workstations ] -----------> arm one timer
 *    |                                                                                |
 *    +---- poke, socket hint, `online`, end of a task, timer <------------------------+
 *
 * While the server is not known to answer, only the pull runs: one probe with back-off instead of one an item.
 */
import { toFailure, type Failure } from '#core/errors.ts';
import { isFinished } from '#core/job/job.ts';
import type { Ids } from '#core/ports.ts';
import { recoverOutbox, retryParked, retryWaiting, type OutboxContext } from '#core/run/outbox.ts';
import { Publisher, type PublishEnd, type PublishPorts } from '#core/run/publish.ts';
import {
  backoffMs,
  answered,
  failedWith,
  gate,
  STARTING,
  tokenSeen,
  tryNow,
  type Connection,
} from '#core/sync/connection.ts';
import type { OutboxItem } from '#core/sync/outbox-item.ts';
import type { ServerClient } from '../../http/server-client.ts';
import type { CatalogSocket, SocketHint, Timers } from '../../http/socket.ts';
import type { AccessionDb } from '../db.ts';
import { assertEpoch } from '../job-store.ts';
import type { Replica } from '../lane-browser.ts';
import { notePlansAnnounced } from '../meta.ts';
import { createMirror, type Mirror, type MirrorOptions } from './mirror.ts';
import { createRemoteJobs, type RemoteJobs } from './remote-jobs.ts';
import { asProbe, isOfConnection } from './connection-failures.ts';
import { learnOfServer, type FactsClient } from './server-defaults.ts';
import { POLL_MS, Schedule } from './schedule.ts';
import { saveSyncState } from './sync-state.ts';

/** Of the tab that holds the lock. */
interface Holder {
  context: OutboxContext;
  epoch: number;
  publisher: Publisher;
}

export interface SyncRunnerOptions extends Omit<OutboxContext, 'store'> {
  db: AccessionDb;
  client: Pick<ServerClient, 'mirror'> & FactsClient & Partial<Pick<ServerClient, 'jobs' | 'reviews'>>;
  publish: PublishPorts;
  /** The first says whether the server can be reached and is a catalog server; a failure of the others is tried again with the next pull. */
  replicas: readonly [Replica, ...Replica[]];
  token: () => Promise<string | null>;
  timers: Timers;
  ids: Ids;
  /** Makes the socket; it is only a hint and may be left out. */
  socket?: (onHint: (hint: SocketHint) => void) => CatalogSocket;
  /** `online` and `offline` events: `self` in a worker. */
  network?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  /** After the change that completed the job. */
  onPublished(jobId: string): void;
  onRemoteAnswer: MirrorOptions['onRemoteAnswer'];
  onRemoteCancel?: NonNullable<MirrorOptions['onRemoteCancel']>;
  /** The server knows of no commit of these published jobs. */
  onLost?: NonNullable<MirrorOptions['onLost']>;
}

/** Hints come in bursts; they are answered together. */
const HINT_MS = 200;
const MIRROR_EVERY_MS = 1_000;
/** What others do is read anew at most this often, whatever the socket says. */
const REMOTE_EVERY_MS = 1_000;
/** The server is told of all unfinished jobs at least this often. */
const HEARD_EVERY_MS = 120_000;

export class SyncRunner {
  readonly #options: SyncRunnerOptions;
  readonly #mirror: Mirror;
  readonly #remoteJobs: RemoteJobs;
  readonly #socket: CatalogSocket | null;
  readonly #schedule: Schedule;
  readonly #work = new Set<Promise<void>>();
  #stopped = new AbortController();
  /** While it runs: the outbox by the holder's store, its epoch, and what sends. */
  #holder: Holder | null = null;
  #connection: Connection = STARTING;
  #token: string | null = null;
  /** Whether a token may report work and publish, and which: until the server says no, it is tried. */
  #mayWork = true;
  #known: string | null = null;
  /** The token of the last pull that began. */
  #pulledFor: string | null = null;
  #turning = false;
  #again = false;
  #pulling = false;
  #mirroring = false;
  #looking = false;
  #pullingOthers = false;
  #othersDue = false;
  #ask = true;
  /** Milliseconds. */
  #askedAt = 0;
  #mirrorFailures = 0;
  #outboxAt: number | null = null;

  constructor(options: SyncRunnerOptions) {
    this.#options = options;
    this.#schedule = new Schedule(options.clock, options.timers, () => this.#kick());
    this.#mirror = createMirror(options);
    this.#remoteJobs = createRemoteJobs(options);
    this.#socket = options.socket?.((hint) => this.#track(this.#hint(hint))) ?? null;
  }

  /** `store`: of the lock holder whose epoch this is. What was under way goes back to waiting. */
  async start(store: OutboxContext['store'], epoch: number): Promise<void> {
    const { clock, random, ids, lane, network, publish } = this.#options;
    this.#stopped = new AbortController();
    const context = { store, clock, random, ids, lane };
    const publisher = new Publisher(
      context,
      publish,
      (item, end) => this.#ended(item, end),
      (run) => this.#track(run.finally(() => this.#kick())),
    );
    this.#holder = { context, epoch, publisher };
    await recoverOutbox(context);
    // What the last session knew of the server is not known now.
    await saveSyncState(this.#options.db, this.#connection, null);
    for (const name of ['online', 'offline']) network?.addEventListener(name, this.#onNetwork);
    this.#socket?.start();
    this.#kick();
  }

  /** Stops everything; items under way go back to waiting. Answers when nothing runs any more. */
  async stop(): Promise<void> {
    const publisher = this.#holder?.publisher;
    this.#holder = null;
    for (const name of ['online', 'offline']) this.#options.network?.removeEventListener(name, this.#onNetwork);
    this.#socket?.stop();
    this.#schedule.disarm();
    this.#stopped.abort();
    publisher?.stop();
    await this.idle();
  }

  /** The database changed, or a token was stored: look again. */
  poke(): void {
    this.#schedule.within(MIRROR_EVERY_MS, 'mirror');
    this.#kick();
  }

  /** The catalog here may be too old for what is wanted of it: read the change feed soon. */
  wantReplica(): void {
    this.#schedule.within(HINT_MS, 'pull');
    this.#kick();
  }

  /** A person wants it now, whatever the timers say. Answers how many items wait. */
  async syncNow(): Promise<number> {
    this.#connection = tryNow(this.#connection);
    this.#schedule.within(0, 'pull', 'mirror', 'remote');
    this.#ask = true;
    const waiting = this.#holder === null ? 0 : await retryWaiting(this.#holder.context, 'retry');
    this.#socket?.poke();
    this.#kick();
    return waiting;
  }

  /** A person wants this one now, with what it depends on; the server is asked whatever was known of it. */
  async tryOne(key: string): Promise<void> {
    this.#connection = tryNow(this.#connection);
    this.#schedule.within(0, 'pull');
    this.#socket?.poke();
    await this.retry(key);
  }

  /** Takes a parked item up again, with what hangs together with it. Answers how many items that are. */
  async retry(key: string): Promise<number> {
    const count = this.#holder === null ? 0 : await retryParked(this.#holder.context, key);
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
    this.#schedule.within(0, 'pull');
    this.#socket?.poke();
    this.#kick();
  };

  async #hint(hint: SocketHint): Promise<void> {
    this.#schedule.within(HINT_MS, 'pull');
    if (hint.type === 'connected') this.#askSoon();
    else if (hint.type === 'resync') this.#lookSoon();
    else if (hint.type === 'IngestionUpdate') {
      const job = await this.#options.db.jobs.get(hint.job_id);
      // It waits for an answer here and no longer there: somebody answered. Or it ended there and not here.
      const answered = !hint.needs_review && job?.status === 'AWAITING_REVIEW';
      if (answered || (job !== undefined && hint.status === 'FAILED' && !isFinished(job))) this.#askSoon();
      if (await this.#remoteJobs.hear(hint)) this.#lookSoon();
    }
    this.#kick();
    // VIDEO-95: also where a word may have been missed.
    if (hint.type !== 'IngestionUpdate' && hint.type !== 'CatalogChanged') await notePlansAnnounced(this.#options.db);
  }

  #lookSoon(): void {
    this.#schedule.within(REMOTE_EVERY_MS, 'remote');
  }

  #askSoon(): void {
    this.#ask = true;
    this.#schedule.within(HINT_MS, 'mirror');
  }

  #kick(): void {
    this.#again = true;
    if (this.#turning || this.#holder === null) return;
    this.#turning = true;
    this.#track(
      this.#turns().finally(() => {
        this.#turning = false;
      }),
    );
  }

  async #turns(): Promise<void> {
    while (this.#again && this.#holder !== null) {
      this.#again = false;
      await this.#turn(this.#holder);
    }
  }

  async #turn({ context, epoch, publisher }: Holder): Promise<void> {
    this.#schedule.disarm();
    await this.#mirror.noteClock();
    this.#token = await this.#options.token();
    this.#connection = tokenSeen(this.#connection, this.#token);
    // Somebody else signed in, maybe while a pull of the former token is under way: whose it is is asked at once.
    if (this.#connection.state === 'ok' && this.#token !== this.#pulledFor) this.#schedule.within(0, 'pull');
    this.#outboxAt = null;
    if (gate(this.#connection, this.#now()) === 'open') {
      if (this.#connection.state !== 'ok') await this.#pull(context, epoch);
      else if (this.#schedule.isDue('pull')) this.#track(this.#pull(context, epoch));
    }
    this.#outboxAt = await publisher.pump(() => ({
      online: this.#open(),
      authorized: this.#connection.state !== 'unauthorized' && this.#mayWork,
    }));
    if (this.#open() && this.#mayWork && this.#schedule.isDue('mirror')) this.#track(this.#pushMirror());
    if (this.#open() && this.#schedule.isDue('remote')) this.#track(this.#look());
    await saveSyncState(this.#options.db, this.#connection, this.#outboxAt);
    if (this.#holder !== null) this.#schedule.arm(this.#connection, this.#outboxAt);
  }

  #open(): boolean {
    return this.#connection.state === 'ok' && gate(this.#connection, this.#now()) === 'open';
  }

  async #pull(context: OutboxContext, epoch: number): Promise<void> {
    if (this.#pulling) return;
    this.#pulling = true;
    this.#schedule.after(POLL_MS, 'pull');
    const before = this.#connection.state;
    const token = (this.#pulledFor = this.#token);
    const [replica] = this.#options.replicas;
    try {
      const outcome = await replica.pull(this.#stopped.signal);
      if (!outcome.ok) return this.#noteFailure(asProbe(outcome.failure), token);
      this.#connection = answered(this.#connection, this.#now());
      this.#track(this.#pullOthers());
      // Noted in the database: the pull that began anew may have been cut off, and another one have ended it.
      if (await replica.wasRestarted?.()) await this.#mirror.reset();
      if (before !== 'ok' || !this.#mayWork || token !== this.#known) await this.#learn(token);
      if (before === 'ok') return;
      // Reached again: what failed for want of a server is due at once.
      await retryWaiting(context, 'reconnected');
      this.#schedule.within(0, 'mirror', 'remote');
      this.#ask = true;
      this.#socket?.poke();
    } catch (error) {
      // The server answered, this browser could not store it (full, or closing). The outbox may go on.
      this.#connection = { ...answered(this.#connection, this.#now()), message: toFailure(error).message };
      await assertEpoch(this.#options.db, epoch);
    } finally {
      this.#pulling = false;
      this.#kick();
    }
  }

  /** The first copy does not wait for them. */
  async #pullOthers(): Promise<void> {
    const [, ...others] = this.#options.replicas;
    this.#othersDue = others.length > 0;
    if (this.#pullingOthers) return;
    this.#pullingOthers = true;
    try {
      while (this.#othersDue) {
        this.#othersDue = false;
        for (const other of others) await other.pull(this.#stopped.signal);
      }
    } finally {
      this.#pullingOthers = false;
    }
  }

  /** Whenever the server is reached: an administrator may have changed accession.toml or a role meanwhile. */
  async #learn(token: string | null): Promise<void> {
    const { client, db } = this.#options;
    const may = (await learnOfServer(db, client, this.#stopped.signal)) ?? true;
    if (may && !this.#mayWork) this.#schedule.within(0, 'mirror', 'remote');
    [this.#mayWork, this.#known] = [may, token];
  }

  /** A write was refused: where the token may read and no more, reading goes on and the rest waits (UI-146). */
  async #noteRefusal(reason: Failure, token: string | null): Promise<void> {
    if (reason.code !== 'forbidden' || token !== this.#token || this.#connection.state !== 'ok')
      return this.#noteFailure(reason, token);
    this.#mayWork = false;
    await this.#learn(token);
    if (this.#mayWork) this.#noteFailure(reason, token);
  }

  /** One item's run is over; what it came to is stored. */
  #ended(item: OutboxItem, end: PublishEnd): void {
    if (end.type === 'failed') this.#track(this.#noteRefusal(end.failure, this.#token).then(() => this.#kick()));
    if (end.type !== 'published') return;
    this.#connection = answered(this.#connection, this.#now());
    // The track is available now: let the replica see it even without a socket.
    this.#schedule.within(HINT_MS, 'pull');
    this.#schedule.within(HINT_MS, 'mirror');
    this.#options.onPublished(item.job_id);
  }

  async #pushMirror(): Promise<void> {
    if (this.#mirroring) return;
    this.#mirroring = true;
    this.#schedule.after(POLL_MS, 'mirror');
    // Who works on files speaks of them every other minute: what is not heard of is gone (SYNC-72).
    const ask = this.#ask || this.#now() - this.#askedAt >= HEARD_EVERY_MS;
    const token = this.#token;
    this.#ask = false;
    if (ask) this.#askedAt = this.#now();
    try {
      const outcome = await this.#mirror.push(ask, this.#stopped.signal);
      if (outcome.ok) this.#mirrorFailures = 0;
      else {
        this.#ask ||= ask;
        this.#mirrorFailures += 1;
        this.#schedule.after(backoffMs(this.#mirrorFailures, this.#options.random), 'mirror');
        if (isOfConnection(outcome.failure)) await this.#noteRefusal(outcome.failure, token);
      }
    } finally {
      this.#mirroring = false;
      this.#kick();
    }
  }

  /** What others do is only shown: a failure here is the other tasks' to judge. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    this.#schedule.after(POLL_MS, 'remote');
    try {
      await this.#remoteJobs.pull();
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

  #now(): number {
    return this.#options.clock.now();
  }

  /** Keeps hold of work in the background. An error that nobody foresaw ends no task for good. */
  #track(work: Promise<void>): void {
    const held: Promise<void> = work
      .catch((error: unknown) => this.#onError(error))
      .finally(() => this.#work.delete(held));
    this.#work.add(held);
  }

  async #onError(error: unknown): Promise<void> {
    if (this.#holder === null) return;
    try {
      await assertEpoch(this.#options.db, this.#holder.epoch);
    } catch {
      // Another tab has the lock, or the database is closed: this runner is over. `stop` would wait for us.
      this.#holder = null;
      this.#socket?.stop();
      this.#schedule.disarm();
      return;
    }
    this.#connection = { ...this.#connection, message: toFailure(error).message };
    this.#schedule.armIn(POLL_MS);
  }
}
