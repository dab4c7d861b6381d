/**
 * Uploads over HTTP, worked on by the tab that holds the lock, with the code of the headless worker (adapters/work).
 *
 *   look: does the gate let us? --no--> sleep until a poke, a hint of the socket, or half a minute is over
 *     ^     | yes
 *     |   claim --nothing waits--> sleep
 *     |     | an upload under lease
 *     '-- work on it; between two steps the person's own files go first. Given back: done for now, switched off,
 *         paused, "stop" was pressed, no space, own files for long, another tab leads
 *
 * Rows of an upload are in memory and, whole, on the server; here are only its files and what pages show of it.
 */
import { toFailure, type Failure } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import { createPeopleClient } from '../../http/people-client.ts';
import { createWorkClient, type WorkClient } from '../../http/work-client.ts';
import { wait } from '../../llm/executor-ports.ts';
import { runWorker } from '../../work/run-worker.ts';
import { freeBlobs } from '../blobs/storage.ts';
import { type UploadsDeps, patchUploadsState, readUploadsState, writeUploadsRest, type WhyNot } from './state.ts';
import { hasOwnWork, STOPS, whyNot } from './gate.ts';
import { heldBlobs, letGo } from './held-blobs.ts';
import { workOnUpload } from './one-upload.ts';
import { permissionOf } from './permission.ts';

/** Between two questions whether something waits, where the socket says nothing. Milliseconds, as all here. */
const POLL_MS = 30_000;
/** Between two questions, however much the socket says. */
const LEAST_MS = 3_000;
/** What comes together is handled together. */
const GATHER_MS = 300;
/** After the server refused this browser for good. */
const REFUSED_MS = 300_000;
/** An upload in hand waits so long for the person's own files; then others may have it. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 2_000;
/** After an upload that there is no room for. */
const NO_ROOM_MS = 600_000;

const LEASE_OVER = 'the server was away for too long, or another worker goes on';

export class UploadsWorker {
  readonly #deps: UploadsDeps;
  readonly #client: WorkClient;
  readonly #permission: ReturnType<typeof permissionOf>;
  #stop: AbortController | null = null;
  /** Gives the upload in hand back. */
  #giveBack: AbortController | null = null;
  /** The lease that a tab before this one was killed with. */
  #former: string | null = null;
  #why: WhyNot | null = 'loading';
  #lookedAt = -Infinity;
  #again = false;
  #wake: (() => void) | null = null;
  #soon: unknown = null;
  #poked: unknown = null;

  constructor(deps: UploadsDeps) {
    const { clock, http } = deps;
    this.#deps = deps;
    this.#client = createWorkClient(http);
    this.#permission = permissionOf(http.token, () => createPeopleClient(http).me(), clock);
  }

  start(): void {
    if (this.#stop !== null) return;
    const stop = new AbortController();
    this.#stop = stop;
    void this.#run(stop.signal);
  }

  /** Another tab leads: the upload in hand is given back, and nothing is written here any more. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.#rouse();
  }

  /** Somebody changed rows: settings, jobs, a pause. */
  poke(): void {
    if (this.#poked !== null) return;
    this.#poked = this.#deps.timers.set(() => {
      this.#poked = null;
      void this.#reconsider().catch(this.#deps.onError);
    }, GATHER_MS);
  }

  /** The server may have something new for a worker. */
  wanted(): void {
    if (this.#soon !== null) return;
    const { timers, clock } = this.#deps;
    const ms = Math.min(LEAST_MS, Math.max(GATHER_MS, this.#lookedAt + LEAST_MS - clock.now()));
    this.#soon = timers.set(() => {
      this.#soon = null;
      this.#rouse();
    }, ms);
  }

  #rouse(): void {
    this.#again = true;
    this.#wake?.();
  }

  async #run(stop: AbortSignal): Promise<void> {
    this.#former = (await readUploadsState(this.#deps.db).catch(() => null))?.current?.lease_id ?? null;
    while (!stop.aborted) {
      this.#again = false;
      const refused = await this.#look(stop).catch((error: unknown) => {
        this.#deps.onError(error);
        return null;
      });
      if (stop.aborted) return;
      await this.#sleep(refused === null ? POLL_MS : REFUSED_MS);
    }
  }

  async #sleep(ms: number): Promise<void> {
    const { timers } = this.#deps;
    await new Promise<void>((resolve) => {
      const timer = timers.set(resolve, ms);
      this.#wake = () => {
        timers.clear(timer);
        resolve();
      };
      if (this.#again) this.#wake();
    });
    this.#wake = null;
  }

  /** Works on what waits until nothing does. Answers a failure that trying again soon cannot mend. */
  async #look(stop: AbortSignal): Promise<Failure | null> {
    const { name, timers } = this.#deps;
    await this.#free();
    const using = {
      work: { claim: (worker: string) => this.#claim(worker) },
      wait: (ms: number, signal: AbortSignal) => wait(timers, ms, signal),
      say: () => undefined,
      workOn: (claim: Claim, signal: AbortSignal) => this.#workOn(claim, signal),
      others: (worker: string, signal: AbortSignal) => this.#others(worker, signal),
    };
    const refused = await runWorker(using, { name, once: true }, stop);
    if (refused !== null) this.#permission.forget();
    return refused;
  }

  /** Where no upload waits, or this browser takes none now: then nothing else is taken, either. */
  async #others(name: string, stop: AbortSignal): Promise<Result<boolean>> {
    if (this.#why !== null) return ok(false);
    const giveBack = new AbortController();
    this.#giveBack = giveBack;
    try {
      for (const take of this.#deps.lanes.takers) {
        const { agent } = this.#deps;
        const taken = await take({ name, agent }, AbortSignal.any([stop, giveBack.signal]));
        // What could not be done here is another's: it is not asked for again before the next look.
        if (taken.ok && taken.value) return ok(!giveBack.signal.aborted);
      }
      return ok(false);
    } finally {
      this.#giveBack = null;
    }
  }

  async #claim(worker: string): Promise<Result<Claim | null>> {
    if ((await this.#see()) !== null) return ok(null);
    this.#lookedAt = this.#deps.clock.now();
    const answer = await this.#client.claim(worker, this.#former ?? undefined);
    if (!answer.ok) return answer;
    this.#former = null;
    if (answer.value === null) await patchUploadsState(this.#deps.db, { current: null });
    return answer;
  }

  /** Why nothing is taken now, as pages show it. */
  async #see(): Promise<WhyNot | null> {
    const { db, clock, savesData } = this.#deps;
    const mayWork = (): Promise<boolean> => this.#permission.mayWork();
    const isComplete = (): Promise<boolean> => this.#deps.lanes.replicas[0].isComplete();
    this.#why = await whyNot({ db, now: () => clock.now(), savesData, isComplete, mayWork });
    await patchUploadsState(db, { why_not: this.#why });
    return this.#why;
  }

  async #reconsider(): Promise<void> {
    if (this.#stop === null) return;
    const before = this.#why;
    const why = await this.#see();
    if (why !== null && STOPS.includes(why)) this.#giveBack?.abort();
    if (why === null && before !== null) this.wanted();
  }

  async #workOn(claim: Claim, stop: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps;
    const giveBack = new AbortController();
    this.#giveBack = giveBack;
    const { label } = claim.batch;
    let trouble: string | null = null;
    try {
      const parts = {
        work: this.#client,
        firstOf: (signal: AbortSignal) => this.#yields(signal),
      };
      await workOnUpload(claim, this.#deps, parts, AbortSignal.any([stop, giveBack.signal]));
      if (giveBack.signal.aborted) trouble = 'it was stopped here';
      else if (this.#why === 'busy') trouble = 'your own files came first';
    } catch (error) {
      const why = toFailure(error);
      trouble = why.code === 'conflict' ? LEASE_OVER : why.message;
      if (why.code === 'storage_full') await writeUploadsRest(db, clock.now() + NO_ROOM_MS);
      throw error;
    } finally {
      this.#giveBack = null;
      if (!stop.aborted) {
        await patchUploadsState(db, { current: null, last: { label, at: clock.now(), trouble } });
        await this.#free();
      }
    }
  }

  /** The person's own files go first; an upload that had to wait for long is for others. */
  async #yields(stop: AbortSignal): Promise<boolean> {
    const { db, clock, timers } = this.#deps;
    const since = clock.now();
    while (!stop.aborted && (await hasOwnWork(db))) {
      if (this.#why !== 'busy') await patchUploadsState(db, { why_not: (this.#why = 'busy') });
      if (Math.abs(clock.now() - since) >= PATIENCE_MS) return true;
      await wait(timers, LOOK_MS, stop);
    }
    if (this.#why === 'busy') await this.#see();
    return false;
  }

  /** What uploads have left here, also of a tab that was killed. */
  async #free(): Promise<void> {
    const { db, blobs } = this.#deps;
    const names = await heldBlobs(db);
    if (names.size > 0 && (await freeBlobs(db, blobs, names))) await letGo(db, names);
  }
}
