/**
 * The lock holder's loop. Each turn does one small thing that is persisted before the next begins; when
 * there is nothing to do it sleeps until it is poked (a write by any tab, a worker, the network).
 *
 *   recover -> [ probe two at a time, split album images | match one batch | tend the transcode pool ] -> wait for a poke -> ...
 *                                                  the agent runs beside it and pokes when a doubt was answered
 */
import { prepareOutboxItems } from '#core/sync/outbox.ts';
import { AgentStage, type AgentStageDeps } from './agent-stage.ts';
import { isLockLost, type PipelineContext } from './apply.ts';
import { matchNext, type MatchStageDeps } from './match-stage.ts';
import { probeNext, type ProbeStageDeps } from './probe-stage.ts';
import { recover } from './recover.ts';
import { splitNext } from './split-stage.ts';
import { TranscodeStage, type TranscodeDeps } from './transcode-stage.ts';

const PARALLEL_PROBES = 2;

type Held = 'poke' | 'toolsMissing' | 'onToolsMissing';

export interface RunnerDeps
  extends
    PipelineContext,
    Omit<ProbeStageDeps, Held>,
    MatchStageDeps,
    Omit<TranscodeDeps, Held>,
    Omit<AgentStageDeps, Held> {
  sync: {
    start(): void | Promise<void>;
    stop(): void | Promise<void>;
    poke(): void;
    syncNow(): Promise<number>;
    tryOne(key: string): Promise<void>;
  };
  /** Files that were sent to the server; they wait for the person's own. */
  uploads?: { start(): void; stop(): void; poke(): void };
  /** Calls back in about a minute. */
  later(run: () => void): void;
  /** Says on the console and in the meta row what stopped the loop. */
  onError(error: unknown): void;
}

export class PipelineRunner {
  readonly #deps: RunnerDeps & Pick<TranscodeDeps, Held>;
  readonly #epoch: number;
  readonly #transcode: TranscodeStage;
  readonly #agent: AgentStage;
  #wake: (() => void) | null = null;
  #poked = false;
  #stopped = false;
  #toolsMissing = false;
  /** What the last holder left was put right. */
  #ready = false;

  constructor(deps: RunnerDeps, epoch: number) {
    this.#deps = {
      ...deps,
      // The pool's own word that a file is done: nobody else changed a row.
      poke: () => this.#rouse(),
      toolsMissing: () => this.#toolsMissing,
      onToolsMissing: () => {
        this.#toolsMissing = true;
        this.#deps.later(() => this.online());
      },
    };
    this.#epoch = epoch;
    this.#transcode = new TranscodeStage(this.#deps, epoch);
    this.#agent = new AgentStage(this.#deps, epoch);
  }

  /** The server can be reached again: what could not be loaded is tried again. */
  online(): void {
    this.#toolsMissing = false;
    this.poke();
  }

  /** Somebody changed rows. What is to stop stops now, whatever the turn is busy with. */
  poke(): void {
    this.#transcode.changed();
    if (this.#ready) void this.#transcode.tend().catch(this.#deps.onError);
    this.#rouse();
  }

  #rouse(): void {
    this.#deps.uploads?.poke();
    this.#poked = true;
    this.#wake?.();
    if (this.#ready) this.#agent.poke();
  }

  stop(): void {
    this.#stopped = true;
    this.poke();
  }

  /** Runs until `stop()` or until another tab has taken over. */
  async run(): Promise<void> {
    try {
      await prepareOutboxItems();
      await recover(this.#deps, this.#epoch);
      this.#ready = true;
      await this.#deps.sync.start();
      this.#deps.uploads?.start();
      while (!this.#stopped) {
        this.#poked = false;
        await this.#turnSafely();
        this.#deps.sync.poke();
        if (!this.#poked) await this.#sleep();
      }
    } catch (error) {
      this.#deps.onError(error);
    } finally {
      this.#ready = false;
      this.#transcode.close();
      this.#agent.close();
      this.#deps.uploads?.stop();
      await this.#deps.sync.stop();
    }
  }

  /** A turn that fails (storage that is full, say) is said and tried again; only a lost lock ends the loop. */
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
    await this.#transcode.tend();
    // The tracks of an album image are files of their own from then on.
    do await this.#probe();
    while (!this.#stopped && (await splitNext(this.#deps, this.#epoch)));
    while (!this.#stopped && (await matchNext(this.#deps, this.#epoch))) {
      this.#transcode.changed();
      await this.#transcode.tend();
    }
    this.#agent.poke();
    await this.#transcode.tend();
  }

  async #probe(): Promise<void> {
    const probes = Array.from({ length: PARALLEL_PROBES }, async () => {
      // A long drop that is looked at holds no worker up.
      while (!this.#stopped && (await probeNext(this.#deps, this.#epoch))) await this.#transcode.tend();
    });
    await Promise.all(probes);
  }

  async #sleep(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.#poked || this.#stopped) resolve();
    });
    this.#wake = null;
  }
}
