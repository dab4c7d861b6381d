/**
 * The agent's place in the run: it works beside the other stations, so that nothing else ever waits for a model.
 *
 *   plan of a batch -> jobs `thinking`, a workflow on the leading one
 *   tend: stop what is no longer wanted -> settle what cannot be asked -> begin what may be (albums first)
 *   run:  save before and after each call ... end: finding on the doubt's jobs, batch matched again
 *
 *   stopped by a cancelled job, a person's own answer, a pause, other settings, another holder, the end of this one;
 *   what was saved goes on from its journal, with no finished call made twice
 *
 *   AGENT-40 one workflow at a time for a model of this device, two for a hosted one; albums before tracks
 *   AGENT-42 a model that fails sends its doubt to the person with the reason
 */
import type { AgentModel } from '../agent/workflow/ports.ts';
import { pickStrategy } from '../agent/workflow/strategy.ts';
import { untried } from '../agent/workflow/journal.ts';
import type { LlmProvider } from '../agent/llm/provider.ts';
import { CancelSource, throwIfCancelled } from '../cancel.ts';
import { AccessionError, failure as failureOf, type Failure } from '../errors.ts';
import { touchBatch } from '../job/apply.ts';
import { isEnded, workflowOf, type AgentEngine, type DoubtWorkflow } from './agent.ts';
import {
  AGENT_OFF,
  afterFailure,
  afterSuccess,
  isOnTrial,
  isResting,
  restingSentence,
  type AgentState,
} from './agent-state.ts';
import { endUnanswered, openDoubtOf, openDoubts, putFinding, putWorkflow, type OpenDoubt } from './doubts.ts';
import { isLockLost } from './job-store.ts';
import { laneOf, type Station } from './ports.ts';

interface Running {
  doubt: OpenDoubt;
  model: AgentModel;
  since: number;
  stop: CancelSource;
  /** As the provider names its model, once it was opened. */
  named?: string;
}

const AT_ONCE = { local: 1, hosted: 2 };

export class AskStation {
  readonly #station: Station;
  /** By leading job. */
  readonly #running = new Map<string, Running>();
  /** Leading jobs whose run broke on something else than the model (storage is full): left alone for a minute. */
  readonly #held = new Set<string>();
  /** Fingerprint of the model that was last seen here. */
  #asked: string | null = null;
  #tending = false;
  #looking = Promise.resolve();
  /** It looks again in a minute: whether the rest of the model is over. */
  #watching = false;
  #again = false;
  #closed = false;

  constructor(station: Station) {
    this.#station = station;
  }

  /** Nothing is being asked. */
  get isIdle(): boolean {
    return this.#running.size === 0 && !this.#tending;
  }

  /** Something changed: looks at everything that thinks, beside whatever the run is at. */
  poke(): void {
    this.#again = true;
    if (!this.#tending) this.#looking = this.#tendAll();
  }

  /** Resolves when it has read what changed; what it began goes on. */
  looked(): Promise<void> {
    return this.#looking;
  }

  /**
   * Stops everything; it goes on from what was saved at the next start. Not waited for: a workflow that was stopped saves
   * nothing more, and one that does not obey it must not keep the lock.
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
      // A lost lock ends the run by itself.
      if (!isLockLost(error)) {
        this.#station.onError(error);
        this.#station.later(() => this.poke());
      }
    } finally {
      this.#tending = false;
    }
  }

  /** One look; it never waits for a model. */
  async #tend(): Promise<void> {
    const { store } = this.#station;
    const { doubts, orphans } = await openDoubts(store, this.#station);
    if (doubts.length + orphans.length + this.#running.size === 0) {
      await this.#report(doubts, new Map());
      return;
    }
    const paused = await this.#station.paused();
    const models = new Map<string, AgentModel | null>();
    for (const { lead } of doubts) {
      if (models.has(lead.batch_id)) continue;
      const batch = await store.batch(lead.batch_id);
      models.set(lead.batch_id, await this.#station.agent.model({ demo: batch?.demo ?? false }));
    }
    this.#stopUnwanted(doubts, models, paused);
    await this.#forgetFailures([...models.values()]);
    await this.#matchAgain([
      ...orphans.map((job) => job.batch_id),
      ...[...models].flatMap(([batch, model]) => (model === null ? [batch] : [])),
    ]);
    if (!paused) {
      for (const one of doubts) {
        const model = models.get(one.lead.batch_id);
        if (model) await this.#take(one, model);
      }
    }
    await this.#report(doubts, models);
  }

  #stopUnwanted(doubts: OpenDoubt[], models: Map<string, AgentModel | null>, paused: boolean): void {
    for (const [leadId, running] of this.#running) {
      const now = doubts.find(({ lead }) => lead.id === leadId);
      const model = now && models.get(now.lead.batch_id);
      const wanted = now?.workflow.input.key === running.doubt.workflow.input.key;
      if (!wanted || paused || model?.fingerprint !== running.model.fingerprint) running.stop.abort();
    }
  }

  /** What another model did says nothing of this one. */
  async #forgetFailures(models: (AgentModel | null)[]): Promise<void> {
    const model = models.find((one) => one !== null && !one.recorded);
    if (!model) return;
    const { provider } = await this.#station.agentState.read();
    const other =
      this.#asked === null ? (provider ?? model.provider) !== model.provider : this.#asked !== model.fingerprint;
    this.#asked = model.fingerprint;
    if (other) await this.#station.agentState.change(afterSuccess);
  }

  /** No job may think for ever: what no workflow speaks of, or no model is there for, is matched again. */
  async #matchAgain(batchIds: string[]): Promise<void> {
    const { store } = this.#station;
    for (const id of new Set(batchIds)) {
      if ((await store.batch(id))?.rematch) continue;
      await store.change((rows) => touchBatch(rows, id, { rematch: true }));
      this.#station.poke();
    }
  }

  async #take({ lead: { id } }: OpenDoubt, model: AgentModel): Promise<void> {
    const { store, clock, agentState } = this.#station;
    if (this.#running.has(id) || this.#held.has(id)) return;
    // Counted before the state is read: a run that is over by now has written its failure there.
    const busy = [...this.#running.values()].filter((one) => one.model.provider === model.provider).length;
    const state = await agentState.read();
    // Read again: its run may have ended since the list was made.
    const doubt = openDoubtOf(await store.job(id));
    if (doubt === null || this.#closed) return;
    if (!model.recorded && isResting(state, clock.now())) {
      await this.#settle(doubt.workflow, restingSentence(state));
      return;
    }
    const most = model.hosted && !isOnTrial(state) ? AT_ONCE.hosted : AT_ONCE.local;
    if (busy >= most) return;
    const running: Running = { doubt, model, since: clock.now(), stop: new CancelSource() };
    this.#running.set(id, running);
    void this.#run(running);
  }

  async #run(running: Running): Promise<void> {
    const { lead } = running.doubt;
    try {
      await this.#ask(running);
    } catch (error) {
      if (!isGone(error) && !isLockLost(error) && !running.stop.aborted) {
        this.#station.onError(error);
        this.#held.add(lead.id);
        this.#station.later(() => {
          this.#held.delete(lead.id);
          this.#station.poke();
        });
      }
    } finally {
      this.#running.delete(lead.id);
      this.#station.poke();
    }
  }

  async #ask(running: Running): Promise<void> {
    const { store } = this.#station;
    const { doubt, model } = running;
    const signal = running.stop;
    const opened = await model.open(signal);
    if (signal.aborted) return;
    if (!opened.ok) {
      await this.#failed(model, opened.failure);
      await this.#settle(doubt.workflow, opened.failure.message);
      return;
    }
    const provider = opened.value;
    running.named = provider.model;
    const engine = await laneOf(this.#station, doubt.lead).engine?.();
    if (!engine) return this.#settle(doubt.workflow, 'No agent of this release knows this kind of file.');
    const workflow = await this.#current(engine, doubt.workflow, model, provider);
    const ended = await engine.run(workflow, {
      provider,
      options: model.options,
      signal,
      save: async (reached) => {
        // What comes after a stop is no answer; the journal ends with the call that was cut, and it is made again.
        throwIfCancelled(signal);
        await this.#save(engine, reached, (stored) => stored.id === reached.id, false);
        await store.kept();
        this.#station.sync.poke();
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
      await this.#station.agentState.change(afterSuccess);
  }

  /** The stored workflow, or a new one where it was not begun yet, or with another model or release. */
  async #current(
    engine: AgentEngine,
    stored: DoubtWorkflow,
    model: AgentModel,
    provider: LlmProvider,
  ): Promise<DoubtWorkflow> {
    const { agent, clock, ids } = this.#station;
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
    await this.#save(engine, workflow, (before) => before.input.key === workflow.input.key, true);
    return workflow;
  }

  /**
   * AGENT-41: one change checks that the leading job still thinks about this very doubt, writes what was reached and
   * appends what the journal gained to its log; with the end goes the finding. `anew`: it takes the place of the stored
   * one. Throws `conflict` when the lock was lost, `cancelled` when the doubt is gone.
   */
  async #save(
    engine: AgentEngine,
    workflow: DoubtWorkflow,
    mayReplace: (stored: DoubtWorkflow) => boolean,
    anew: boolean,
  ): Promise<void> {
    const { store } = this.#station;
    const [lead = ''] = workflow.input.file_ids;
    await store.change(async (rows) => {
      const job = await rows.job(lead);
      const stored = workflowOf(job);
      if (job?.phase !== 'thinking' || stored === null || isEnded(stored) || !mayReplace(stored))
        throw new AccessionError(failureOf('cancelled', 'This doubt was settled in another way.'));
      const steps = engine.steps(workflow.journal, anew ? 0 : stored.journal.length);
      await putWorkflow(rows, this.#station, lead, workflow, steps);
      if (isEnded(workflow)) await putFinding(rows, this.#station, workflow, engine.finding(workflow));
    });
  }

  /** A call that was stopped from here is not one that the model never came back from (AGENT-51). */
  async #untry(engine: AgentEngine, workflow: DoubtWorkflow): Promise<void> {
    if (this.#closed || isEnded(workflow) || workflow.tries === undefined) return;
    const again = untried(workflow);
    await this.#save(engine, again, (stored) => stored.id === again.id, false);
  }

  async #failed(model: AgentModel, failure: Failure): Promise<void> {
    if (failure.code === 'cancelled' || model.recorded) return;
    const { agentState, clock } = this.#station;
    await agentState.change((state) => afterFailure(state, failure, clock.now()));
  }

  /** The doubt goes to the person, with the reason. */
  async #settle(workflow: DoubtWorkflow, why: string): Promise<void> {
    await this.#station.store.change((rows) => endUnanswered(rows, this.#station, workflow, why, 'Error'));
    this.#station.poke();
  }

  /** The record for the top bar. */
  async #report(doubts: OpenDoubt[], models: Map<string, AgentModel | null>): Promise<void> {
    const { agent, clock, agentState } = this.#station;
    const [first] = this.#running.values();
    const model =
      first?.model ?? [...models.values()].find((one) => one !== null) ?? (await agent.model({ demo: false }));
    const working_on = [...this.#running.values()].map(({ doubt: { lead, workflow }, since }) => ({
      job_id: lead.id,
      name: laneOf(this.#station, lead).nameOf?.(workflow.input) ?? lead.original_filename,
      since,
    }));
    const waiting = doubts.filter(({ lead }) => !this.#running.has(lead.id)).length;
    const now = await agentState.change((before): AgentState => {
      if (!model) return AGENT_OFF;
      const named = first?.named ?? (before.provider === model.provider ? before.model : null) ?? model.model;
      const { failures, last_failure, retry_at } = before;
      const known = { failures, last_failure, retry_at };
      const resting = isResting(before, clock.now());
      const state = working_on.length > 0 ? 'working' : resting ? 'resting' : 'idle';
      const { provider, recorded } = model;
      return { state, provider, model: named, recorded, working_on, waiting, ...known };
    });
    if (now.state !== 'resting' || this.#watching) return;
    this.#watching = true;
    this.#station.later(() => {
      this.#watching = false;
      this.poke();
    });
  }
}

/** True for what a save throws when the job was cancelled, answered or decided meanwhile: the run is of no use any more. */
function isGone(error: unknown): boolean {
  return error instanceof AccessionError && error.failure.code === 'cancelled';
}

/** What the model failed with, where it gave no answer after it. */
function modelFailure(workflow: DoubtWorkflow): Failure | null {
  const gone = workflow.journal.findLast((entry) => entry.kind === 'stopped' && entry.bound === 'tries');
  if (gone?.kind === 'stopped') return failureOf('model_cut', gone.sentence);
  const last = workflow.journal.findLast((entry) => entry.kind === 'model_ended' || entry.kind === 'model_failed');
  return last?.kind === 'model_failed' ? last.failure : null;
}
