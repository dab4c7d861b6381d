/**
 * The one driver of jobs, over ports: a browser's tab runs it until another tab takes over, a worker and an evaluation
 * until nothing moves without a person. Each turn does one small thing that is persisted before the next begins; when
 * there is nothing to do it sleeps until it is poked (a write by anybody, the end of a conversion, the network).
 *
 *   recover -> [ probe, unfold | match one batch | tend the conversions ] -> wait for a poke -> ...
 *                        the agent and the outbox run beside it and poke when something ended
 */
import { CancelSource, type CancelSignal } from '../cancel.ts';
import { AccessionError, type Failure } from '../errors.ts';
import { isFinished, type Job, type JobIn } from '../job/job.ts';
import { prepareOutboxItems } from '../sync/outbox-item.ts';
import { AskStation } from './ask.ts';
import { ConvertStation } from './convert.ts';
import { isLockLost, type JobRows } from './job-store.ts';
import { matchNext } from './match.ts';
import type { RunDeps, Station } from './ports.ts';
import { probeNext, unfoldNext } from './probe.ts';
import { applyEvent } from '../job/apply.ts';

/**
 * Run once by a new holder of the work: what was in hand when the last one died goes back one step, so that it is done
 * again from the last persisted state. Nothing else is repeated.
 *
 *   probing -> queued,  searching -> grouping,  converting -> approved,  thinking stays: its journal goes on
 *
 * `hasOutput`: whether the converted file of a waiting job is here; where it is not known to be sent, it is made again.
 */
async function recover(
  deps: Pick<RunDeps, 'store' | 'clock' | 'ids' | 'lanes'>,
  words: { converting: string },
  hasOutput: (sha256: string) => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  const { store } = deps;
  const lost = await lostOutputs(deps, hasOutput);
  await store.change(async (rows) => {
    for (const job of await rows.jobsIn('PROCESSING', 'CONVERTING')) {
      if (job.phase === 'probing' || job.phase === 'searching' || job.phase === 'converting')
        await applyEvent(rows, deps, job.id, { type: 'interrupted', why: words.converting });
      else if (isOnItsWay(job) && (lost.has(job.id) || (await rows.outboxOfJob(job.id)).length === 0))
        await convertAgain(rows, deps, job.id);
    }
    for (const lane of deps.lanes) await lane.onRecovered?.(rows);
  });
}

/** JOB-5: waiting without a result that could be sent would be waiting for ever. */
async function convertAgain(rows: JobRows, deps: Pick<RunDeps, 'clock' | 'ids'>, jobId: string): Promise<void> {
  await rows.deleteOutboxItems((await rows.outboxOfJob(jobId)).map((item) => item.key));
  const why = 'Its converted file was lost; it is converted again';
  await applyEvent(rows, deps, jobId, { type: 'unconverted', why });
}

const isOnItsWay = (job: { phase: string }): job is JobIn<'waiting' | 'publishing'> =>
  job.phase === 'waiting' || job.phase === 'publishing';

/** A commit that was sent is asked about first: the server may have the file. */
async function lostOutputs(
  { store }: Pick<RunDeps, 'store'>,
  hasOutput: (sha256: string) => Promise<boolean>,
): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const job of (await store.jobsIn('CONVERTING')).filter(isOnItsWay)) {
    const sent = (await store.outboxOfJob(job.id)).some((item) => item.commit_sent === true);
    if (!sent && !(await hasOutput(job.output_sha256))) lost.add(job.id);
  }
  return lost;
}

export interface RunOptions {
  /** `settled`: the run ends when nothing moves without a person. */
  until: 'stopped' | 'settled';
  /** What the log says of a conversion that its former holder left. */
  converting: string;
  hasOutput?(sha256: string): Promise<boolean>;
  /** Asked between two steps: whether something else comes first. The run ends then. */
  yields?(): Promise<boolean>;
}

export class Run {
  readonly #deps: RunDeps;
  readonly #options: RunOptions;
  readonly #convert: ConvertStation;
  readonly #ask: AskStation;
  readonly #station: Station;
  readonly #stop = new CancelSource();
  #wake: (() => void) | null = null;
  #poked = false;
  #toolsMissing = false;
  #failure: Failure | null = null;
  /** What the last holder left was put right. */
  #ready = false;

  constructor(deps: RunDeps, options: RunOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#station = {
      ...deps,
      // The station's own word that something ended: nobody else changed a row.
      poke: () => this.#rouse(),
      toolsMissing: () => this.#toolsMissing,
      onToolsMissing: () => {
        this.#toolsMissing = true;
        deps.later(() => this.online());
      },
      stopWith: (failure) => {
        this.#failure ??= failure;
        this.stop();
      },
      signal: this.#stop as CancelSignal,
    };
    this.#convert = new ConvertStation(this.#station);
    this.#ask = new AskStation(this.#station);
  }

  /** The server can be reached again: what could not be loaded is tried again. */
  online(): void {
    this.#toolsMissing = false;
    this.poke();
  }

  /** Somebody changed rows. What is to stop stops now, whatever the turn is busy with. */
  poke(): void {
    this.#convert.changed();
    if (this.#ready) void this.#convert.tend().catch(this.#deps.onError);
    this.#rouse();
  }

  #rouse(): void {
    this.#deps.beside?.poke();
    this.#poked = true;
    this.#wake?.();
    if (this.#ready) this.#ask.poke();
  }

  stop(): void {
    this.#stop.abort();
    this.poke();
  }

  /**
   * Runs until `stop()`, until somebody else has taken over or, with `settled`, until nothing moves without a person.
   * Throws AccessionError what a station stopped it with.
   */
  async run(): Promise<void> {
    const { sync, beside, onError } = this.#deps;
    try {
      await prepareOutboxItems();
      await recover(this.#deps, this.#options, this.#options.hasOutput);
      this.#ready = true;
      await sync.start();
      await beside?.start();
      while (!this.#stop.aborted) {
        this.#poked = false;
        await this.#turnSafely();
        sync.poke();
        if (this.#poked) continue;
        if (this.#options.until === 'settled' && (await this.#isSettled())) break;
        await this.#sleep();
      }
    } catch (error) {
      onError(error);
    } finally {
      this.#ready = false;
      this.#stop.abort();
      this.#convert.close();
      this.#ask.close();
      await beside?.stop();
      await sync.stop();
    }
    if (this.#failure) throw new AccessionError(this.#failure);
  }

  /** A turn that fails (storage that is full, say) is reported and tried again; only a lost lock ends the run. */
  async #turnSafely(): Promise<void> {
    try {
      await this.#turn();
    } catch (error) {
      if (isLockLost(error)) throw error;
      this.#deps.onError(error);
      this.#deps.later(() => this.poke());
    }
  }

  async #turn(): Promise<void> {
    if (!(await this.#goesOn())) return;
    await this.#convert.tend();
    // The parts of a divided file are files of their own from then on.
    do await this.#probe();
    while ((await this.#goesOn()) && (await unfoldNext(this.#station)));
    while ((await this.#goesOn()) && (await matchNext(this.#station))) {
      this.#convert.changed();
      await this.#convert.tend();
    }
    this.#ask.poke();
    await this.#convert.tend();
  }

  async #goesOn(): Promise<boolean> {
    if (this.#stop.aborted) return false;
    if (await this.#options.yields?.()) this.stop();
    return !this.#stop.aborted;
  }

  async #probe(): Promise<void> {
    const probes = Array.from({ length: this.#deps.parallel.probes }, async () => {
      // A long drop that is probed leaves no converter idle.
      while ((await this.#goesOn()) && (await probeNext(this.#station))) await this.#convert.tend();
    });
    await Promise.all(probes);
  }

  /** Nothing moves without a person, or nothing moves any more. */
  async #isSettled(): Promise<boolean> {
    await this.#ask.looked();
    if (!this.#convert.isIdle || !this.#ask.isIdle) return false;
    const { store } = this.#deps;
    const open = await store.jobsIn('PENDING', 'PROCESSING', 'CONVERTING');
    const converts = this.#deps.parallel.conversions > 0;
    // What changed while this was read comes first.
    return (
      !this.#poked && open.every((job) => isFinished(job) || rests(job) || (!converts && job.phase === 'approved'))
    );
  }

  async #sleep(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.#poked || this.#stop.aborted) resolve();
    });
    this.#wake = null;
  }
}

/** Only a person moves it on. */
function rests(job: Job): boolean {
  return job.phase === 'review' || job.paused === true;
}
