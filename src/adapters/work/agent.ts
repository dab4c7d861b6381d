/** The agent on an upload's doubts: one after the other, journal saved before and after each call, as in the app. */
import { pickStrategy } from '#core/agent/workflow/strategy.ts';
import { AccessionError, toFailure, type Failure } from '#core/errors.ts';
import type { Doubt } from '#core/music/agent/doubt.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { readDoubtWorkflow, type AgentEngine, type DoubtWorkflow } from '../browser/pipeline/agent-engine.ts';
import { unansweredFinding } from '../browser/pipeline/agent-skip.ts';
import type { AgentModel } from '../browser/pipeline/agent-stage.ts';
import type { WorkRows } from './rows.ts';

/** A model that could not be reached is left alone for this long; doubts go to the person meanwhile. Milliseconds. */
const REST_MS = 60_000;

export class DoubtAsker {
  readonly #using: {
    engine: AgentEngine;
    model: AgentModel;
    clock: Clock;
    ids: Ids;
    random: () => number;
  };
  #resting: { until: number; why: string } | null = null;

  constructor(using: { engine: AgentEngine; model: AgentModel; clock: Clock; ids: Ids; random: () => number }) {
    this.#using = using;
  }

  /** Asks about each doubt; every one ends with a finding on its jobs. `save`: writes down what was reached. */
  async askAll(
    rows: WorkRows,
    doubts: readonly Doubt[],
    save: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const ordered = [...doubts].sort((a, b) => rank(a) - rank(b));
    for (const doubt of ordered) {
      if (signal.aborted) return;
      if (doubt.file_ids.every((id) => rows.job(id)?.phase !== 'thinking')) continue;
      await this.#ask(rows, doubt, save, signal);
    }
    rows.batch = { ...rows.batch, rematch: true };
  }

  async #ask(rows: WorkRows, doubt: Doubt, save: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { engine, model, clock } = this.#using;
    const lead = doubt.file_ids[0] ?? '';
    if (this.#resting !== null && clock.now() < this.#resting.until) {
      this.#settle(rows, this.#begin(doubt, model, null), this.#resting.why);
      return;
    }
    const opened = await model.open(signal);
    if (signal.aborted) return;
    if (!opened.ok) {
      this.#rest(opened.failure);
      this.#settle(rows, this.#begin(doubt, model, null), opened.failure.message);
      return;
    }
    const provider = opened.value;
    const stored = readDoubtWorkflow(rows.job(lead)?.workflow_state ?? '');
    const same = stored?.input.key === doubt.key && stored.model === `${provider.name}/${provider.model}`;
    const kept = same ? engine.read(JSON.stringify(stored)) : null;
    const strategy = pickStrategy(model.strategy, provider);
    const workflow =
      kept ??
      this.#begin(doubt, model, {
        strategy,
        label: `${provider.name}/${provider.model}`,
      });
    let told = kept?.journal.length ?? 0;
    const reach = async (reached: DoubtWorkflow): Promise<void> => {
      signal.throwIfAborted();
      rows.patch(lead, { workflow_state: JSON.stringify(reached) });
      rows.log(lead, engine.steps(reached.journal, told));
      told = reached.journal.length;
      await save();
    };
    try {
      const ended = await engine.run(workflow, {
        provider,
        options: model.options,
        signal,
        save: reach,
      });
      if (signal.aborted) return;
      const failed = ended.journal.findLast((one) => one.kind === 'model_failed' || one.kind === 'model_ended');
      if (failed?.kind === 'model_failed') this.#rest(failed.failure);
      this.#put(rows, ended, engine.finding(ended));
    } catch (error) {
      const stopped = error instanceof AccessionError && error.failure.code === 'cancelled';
      if (signal.aborted || stopped) throw error;
      this.#settle(rows, workflow, toFailure(error).message);
    }
  }

  #begin(
    doubt: Doubt,
    model: AgentModel,
    opened: { strategy: DoubtWorkflow['strategy']; label: string } | null,
  ): DoubtWorkflow {
    const { engine, ids, clock, random } = this.#using;
    return engine.begin(doubt, {
      id: ids.next(),
      now: clock.now(),
      strategy: opened?.strategy ?? 'choice',
      model: opened?.label ?? `${model.provider}/${model.model}`,
      recorded: model.recorded,
      seed: model.seed ?? Math.floor(random() * 2 ** 31),
    });
  }

  #rest(why: Failure): void {
    if (!['model_unreachable', 'model_unauthorized', 'model_missing', 'offline'].includes(why.code)) return;
    this.#resting = {
      until: this.#using.clock.now() + REST_MS,
      why: why.message,
    };
  }

  /** The doubt goes to the person, with the reason. */
  #settle(rows: WorkRows, workflow: DoubtWorkflow, why: string): void {
    const [lead = ''] = workflow.input.file_ids;
    rows.log(lead, [
      {
        step_type: 'Error',
        content: why,
        metadata: { workflow_id: workflow.id },
      },
    ]);
    this.#put(rows, workflow, unansweredFinding(workflow, why));
  }

  #put(rows: WorkRows, workflow: DoubtWorkflow, finding: ReturnType<AgentEngine['finding']>): void {
    for (const id of workflow.input.file_ids) {
      const job = rows.job(id);
      if (job?.phase !== 'thinking') continue;
      rows.patch(id, {
        agent: { ...finding, rounds: (job.agent?.rounds ?? 0) + 1 },
      });
    }
  }
}

function rank(doubt: Doubt): number {
  return doubt.kind === 'track' ? 1 : 0;
}
