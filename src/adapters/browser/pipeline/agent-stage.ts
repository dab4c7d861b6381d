/**
 * The agent's place in the pipeline: it runs beside the loop, so that nothing else ever waits for a model.
 *
 *   plan of a batch -> jobs `thinking`, a workflow on the leading one
 *   tend: stop what is no longer wanted -> settle what cannot be asked -> begin what may be (albums first)
 *   run:  save before and after each call ... end: finding on the doubt's jobs, batch matched again
 *
 *   stopped by a cancelled job, a person's own answer, a pause, other settings, another tab, the end of this one;
 *   what was saved goes on from its journal, with no finished call made twice
 *
 *   AGENT-40 one workflow at a time for a model of this device, two for a hosted one; albums before tracks
 *   AGENT-42 a model that fails sends its doubt to the person with the reason
 */
import { failure as failureOf, type Failure } from '#core/errors.ts';
import type { CancelSignal, LlmProvider } from '#core/agent/llm/provider.ts';
import type { ExecutorOptions } from '#core/agent/workflow/ports.ts';
import { pickStrategy } from '#core/agent/workflow/strategy.ts';
import { untried } from '#core/agent/workflow/tries.ts';
import type { Strategy } from '#core/agent/workflow/workflow.ts';
import type { Batch } from '#core/job/job.ts';
import type { Result } from '#core/result.ts';
import type { AgentState } from '../api.ts';
import type { AgentEngine, DoubtWorkflow } from './agent-engine.ts';
import { isGone, replaceWorkflow, saveWorkflow } from './agent-save.ts';
import { endUnanswered } from './agent-skip.ts';
import { AGENT_OFF, afterFailure, afterSuccess, isOnTrial, isResting } from './agent-state.ts';
import { patchAgentState, readAgentState, restingSentence } from './agent-state.ts';
import { asWork, isEnded, nameOf, openWork, type AgentWork } from './agent-work.ts';
import { assertEpoch, isLockLost, jobTables, readPaused, touchBatch, type PipelineContext } from './apply.ts';

/** The model that a batch's doubts are put to, as the settings are now. */
export interface AgentModel {
  /** `ollama`, ... */
  provider: string;
  model: string;
  recorded: boolean;
  /** It runs elsewhere: two at a time may be asked. */
  hosted: boolean;
  strategy: Strategy | 'auto';
  /** Differs when anything differs that an answer could depend on. */
  fingerprint: string;
  options: ExecutorOptions;
  /** The same doubt is put in the same words each time. */
  seed: number | null;
  /** The provider, ready to be asked: a model of this browser is loaded. */
  open(signal?: CancelSignal): Promise<Result<LlmProvider>>;
}

export interface AgentStageDeps extends PipelineContext {
  agent: {
    /** Loads the agent's code at the first call. */
    engine(): Promise<AgentEngine>;
    /** null: no model is set for this batch. */
    model(batch: Pick<Batch, 'demo'>): Promise<AgentModel | null>;
    /** Of a new workflow: nonce, option orders, sampling. */
    seed(): number;
  };
  sync: { poke(): void };
  poke(): void;
  /** Calls back in about a minute. */
  later(run: () => void): void;
  onError(error: unknown): void;
}

interface Running {
  work: AgentWork;
  model: AgentModel;
  since: number;
  stop: AbortController;
  /** As the provider names its model, once it was opened. */
  named?: string;
}

const AT_ONCE = { local: 1, hosted: 2 };

export class AgentStage {
  readonly #deps: AgentStageDeps;
  readonly #epoch: number;
  /** By leading job. */
  readonly #running = new Map<string, Running>();
  /** Leading jobs whose run broke on something else than the model (storage is full): left alone for a minute. */
  readonly #held = new Set<string>();
  /** Fingerprint of the model that was last seen here. */
  #asked: string | null = null;
  #tending = false;
  /** It looks again in a minute: whether the rest of the model is over. */
  #watching = false;
  #again = false;
  #closed = false;

  constructor(deps: AgentStageDeps, epoch: number) {
    this.#deps = deps;
    this.#epoch = epoch;
  }

  /** Something changed: looks at everything that thinks, beside whatever the loop is at. */
  poke(): void {
    this.#again = true;
    if (!this.#tending) void this.#tendAll();
  }

  /**
   * Stops everything; it goes on from what was saved at the next start. Not waited for: a run that was stopped saves
   * nothing more, and one that does not hear it must not keep the lock.
   */
  close(): void {
    this.#closed = true;
    for (const running of this.#running.values()) running.stop.abort();
  }

  async #tendAll(): Promise<void> {
    this.#tending = true;
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        await this.#tend();
      }
    } catch (error) {
      // A lost lock ends the loop by itself.
      if (!isLockLost(error)) {
        this.#deps.onError(error);
        this.#deps.later(() => this.poke());
      }
    } finally {
      this.#tending = false;
    }
  }

  /** One look; it never waits for a model. */
  async #tend(): Promise<void> {
    const { db } = this.#deps;
    const { work, orphans } = await openWork(this.#deps);
    if (work.length + orphans.length + this.#running.size === 0) {
      await this.#say(work, new Map());
      return;
    }
    const paused = await readPaused(db);
    const models = new Map<string, AgentModel | null>();
    for (const { lead } of work) {
      if (models.has(lead.batch_id)) continue;
      const batch = await db.batches.get(lead.batch_id);
      models.set(lead.batch_id, await this.#deps.agent.model({ demo: batch?.demo ?? false }));
    }
    this.#stopUnwanted(work, models, paused);
    await this.#forgetFailures([...models.values()]);
    await this.#matchAgain([
      ...orphans.map((job) => job.batch_id),
      ...[...models].flatMap(([batch, model]) => (model === null ? [batch] : [])),
    ]);
    if (!paused) {
      for (const one of work) {
        const model = models.get(one.lead.batch_id);
        if (model) await this.#take(one, model);
      }
    }
    await this.#say(work, models);
  }

  #stopUnwanted(work: AgentWork[], models: Map<string, AgentModel | null>, paused: boolean): void {
    for (const [leadId, running] of this.#running) {
      const now = work.find(({ lead }) => lead.id === leadId);
      const model = now && models.get(now.lead.batch_id);
      const wanted = now?.workflow.input.key === running.work.workflow.input.key;
      if (!wanted || paused || model?.fingerprint !== running.model.fingerprint) running.stop.abort();
    }
  }

  /** What another model did says nothing of this one. */
  async #forgetFailures(models: (AgentModel | null)[]): Promise<void> {
    const model = models.find((one) => one !== null && !one.recorded);
    if (!model) return;
    const { provider } = await readAgentState(this.#deps.db);
    const other =
      this.#asked === null ? (provider ?? model.provider) !== model.provider : this.#asked !== model.fingerprint;
    this.#asked = model.fingerprint;
    if (other) await patchAgentState(this.#deps.db, afterSuccess);
  }

  /** No job may think for ever: what no workflow speaks of, or no model is there for, is matched again. */
  async #matchAgain(batchIds: string[]): Promise<void> {
    const { db } = this.#deps;
    for (const id of new Set(batchIds)) {
      if ((await db.batches.get(id))?.rematch) continue;
      await db.transaction('rw', jobTables(db), async () => {
        await assertEpoch(db, this.#epoch);
        await touchBatch(db, id, { rematch: true });
      });
      this.#deps.poke();
    }
  }

  async #take({ lead: { id } }: AgentWork, model: AgentModel): Promise<void> {
    const { db, clock } = this.#deps;
    if (this.#running.has(id) || this.#held.has(id)) return;
    // Counted before the state is read: a run that is over by now has written its failure there.
    const busy = [...this.#running.values()].filter((one) => one.model.provider === model.provider).length;
    const state = await readAgentState(db);
    // Read again: its run may have ended since the list was made.
    const work = asWork(await db.jobs.get(id));
    if (work === null || this.#closed) return;
    if (!model.recorded && isResting(state, clock.now())) {
      await this.#settle(work.workflow, restingSentence(state));
      return;
    }
    const most = model.hosted && !isOnTrial(state) ? AT_ONCE.hosted : AT_ONCE.local;
    if (busy >= most) return;
    const running: Running = { work, model, since: clock.now(), stop: new AbortController() };
    this.#running.set(id, running);
    void this.#run(running);
  }

  async #run(running: Running): Promise<void> {
    const { lead } = running.work;
    try {
      await this.#ask(running);
    } catch (error) {
      if (!isGone(error) && !isLockLost(error) && !running.stop.signal.aborted) {
        this.#deps.onError(error);
        this.#held.add(lead.id);
        this.#deps.later(() => {
          this.#held.delete(lead.id);
          this.#deps.poke();
        });
      }
    } finally {
      this.#running.delete(lead.id);
      this.#deps.poke();
    }
  }

  async #ask(running: Running): Promise<void> {
    const { agent } = this.#deps;
    const { work, model } = running;
    const { signal } = running.stop;
    const opened = await model.open(signal);
    if (signal.aborted) return;
    if (!opened.ok) {
      await this.#failed(model, opened.failure);
      await this.#settle(work.workflow, opened.failure.message);
      return;
    }
    const provider = opened.value;
    running.named = provider.model;
    const engine = await agent.engine();
    const workflow = await this.#current(engine, work.workflow, model, provider);
    const ended = await engine.run(workflow, {
      provider,
      options: model.options,
      signal,
      save: async (reached) => {
        // What comes after a stop is no answer; the journal ends with the call that was cut, and it is made again.
        signal.throwIfAborted();
        await saveWorkflow({ ...this.#deps, engine }, this.#epoch, reached);
        this.#deps.sync.poke();
      },
    });
    if (signal.aborted) {
      await this.#untry(engine, ended);
      return;
    }
    if (!isEnded(ended)) return;
    const failure = modelFailure(ended);
    if (failure) await this.#failed(model, failure);
    else if (ended.journal.some((entry) => entry.kind === 'model_ended'))
      await patchAgentState(this.#deps.db, afterSuccess);
  }

  /** The stored workflow, or a new one where it was not begun yet, or with another model or release. */
  async #current(
    engine: AgentEngine,
    stored: DoubtWorkflow,
    model: AgentModel,
    provider: LlmProvider,
  ): Promise<DoubtWorkflow> {
    const { agent, clock, ids } = this.#deps;
    const label = `${provider.name}/${provider.model}`;
    const begun = stored.journal.length > 0 && stored.model === label ? JSON.stringify(stored) : null;
    const whole = begun === null ? null : engine.read(begun);
    if (whole !== null) return whole;
    const workflow = engine.begin(stored.input, {
      id: ids.next(),
      now: clock.now(),
      strategy: pickStrategy(model.strategy, provider),
      model: label,
      recorded: model.recorded,
      seed: model.seed ?? agent.seed(),
    });
    await replaceWorkflow({ ...this.#deps, engine }, this.#epoch, workflow);
    return workflow;
  }

  /** A call that was stopped from here is not one that the model never came back from (AGENT-51). */
  async #untry(engine: AgentEngine, workflow: DoubtWorkflow): Promise<void> {
    if (this.#closed || isEnded(workflow) || workflow.tries === undefined) return;
    await saveWorkflow({ ...this.#deps, engine }, this.#epoch, untried(workflow));
  }

  async #failed(model: AgentModel, failure: Failure): Promise<void> {
    if (failure.code === 'cancelled' || model.recorded) return;
    const { db, clock } = this.#deps;
    await patchAgentState(db, (state) => afterFailure(state, failure, clock.now()));
  }

  /** The doubt goes to the person, with the reason. */
  async #settle(workflow: DoubtWorkflow, why: string): Promise<void> {
    const { db } = this.#deps;
    await db.transaction('rw', jobTables(db), async () => {
      await assertEpoch(db, this.#epoch);
      await endUnanswered(this.#deps, workflow, why, 'Error');
    });
    this.#deps.poke();
  }

  /** The row for the top bar. */
  async #say(work: AgentWork[], models: Map<string, AgentModel | null>): Promise<void> {
    const { db, agent, clock } = this.#deps;
    const [first] = this.#running.values();
    const model =
      first?.model ?? [...models.values()].find((one) => one !== null) ?? (await agent.model({ demo: false }));
    const working_on = [...this.#running.values()].map(({ work: { lead, workflow }, since }) => ({
      job_id: lead.id,
      name: nameOf(workflow.input),
      since,
    }));
    const waiting = work.filter(({ lead }) => !this.#running.has(lead.id)).length;
    const said = await patchAgentState(db, (before): AgentState => {
      if (!model) return AGENT_OFF;
      const named = first?.named ?? (before.provider === model.provider ? before.model : null) ?? model.model;
      const { failures, last_failure, retry_at } = before;
      const known = { failures, last_failure, retry_at };
      const resting = isResting(before, clock.now());
      const state = working_on.length > 0 ? 'working' : resting ? 'resting' : 'idle';
      const { provider, recorded } = model;
      return { state, provider, model: named, recorded, working_on, waiting, ...known };
    });
    if (said.state !== 'resting' || this.#watching) return;
    this.#watching = true;
    this.#deps.later(() => {
      this.#watching = false;
      this.poke();
    });
  }
}

/** What the model failed with, where it gave no answer after it. */
function modelFailure(workflow: DoubtWorkflow): Failure | null {
  const gone = workflow.journal.findLast((entry) => entry.kind === 'stopped' && entry.bound === 'tries');
  if (gone?.kind === 'stopped') return failureOf('model_cut', gone.sentence);
  const last = workflow.journal.findLast((entry) => entry.kind === 'model_ended' || entry.kind === 'model_failed');
  return last?.kind === 'model_failed' ? last.failure : null;
}
