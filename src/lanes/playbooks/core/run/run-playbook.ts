/**
 * The driver of a run: does what the transitions say (states.ts) and writes it down.
 *
 *   PB-41 each unit is a workflow of the agent's engine, in the journal before it is asked and after; its outputs are durable
 *         there before they are in a file
 *   PB-43 killed anywhere and resumed, nothing is asked twice and the files come out the same
 */
import { failed } from '#core/errors.ts';
import type { Spent } from '#core/agent/workflow/workflow.ts';
import type { Prepared, PreparedStep } from '../check/prepare.types.ts';
import type { Limits } from '../check/step-values.ts';
import { pathOfOutput, unitOf, type Unit } from '../check/unit.ts';
import { FAULT_CODES, faultOf, type Fault } from '../faults.ts';
import type { Frame } from '../tokens/scopes.ts';
import type { Mapping, Value } from '../value.ts';
import { Budget } from './budget.ts';
import type { RunLine } from './lines.ts';
import { isBegun, openRunStep, type RunStep } from './open-run-step.ts';
import { OutputOwners, type PathOf } from './output-owners.ts';
import type { Outputs } from './outputs.ts';
import type { Past, PastStep, Reused } from './past.ts';
import type { RunLog, RunPorts } from './ports.ts';
import {
  cancelledFault,
  newRunState,
  transition,
  type EndState,
  type RunEffect,
  type RunEvent,
  type RunState,
  type Skipped,
} from './states.ts';
import { askUnit, type AskedUnit } from './ask-unit.ts';

export interface RunOptions {
  id: string;
  seed: number;
  /** Over the playbook's own. */
  limits: Limits;
  /** Units at a time, over the steps' own; null: theirs. */
  parallel: number | null;
  /** Answers of another run, by the key of their unit. */
  reuse: ReadonlyMap<string, Reused>;
  /** Places of the steps of which none is taken over. */
  again: readonly number[];
}

export interface RunEnd {
  state: EndState;
  error: Fault | null;
  skipped: readonly Skipped[];
}

/**
 * Until it ends. `past`: what the journal says was done. Rejects where the store or a file cannot be written in a way that
 * no resume mends.
 */
export function runPlaybook(
  prepared: Prepared,
  log: RunLog,
  ports: RunPorts,
  past: Past,
  options: RunOptions,
): Promise<RunEnd> {
  return new Run(prepared, log, ports, past, options).run();
}

const NONE: ReadonlyMap<string, Reused> = new Map();

class Run {
  readonly #prepared: Prepared;
  readonly #log: RunLog;
  readonly #ports: RunPorts;
  readonly #past: Past;
  readonly #options: RunOptions;
  readonly #budget: Budget;
  readonly #began: number;
  /** Of closed steps, and of the one in hand: what `step:NAME` names. */
  readonly #earlier = new Map<string, Mapping>();
  readonly #owners: OutputOwners;
  #state: RunState;
  #open: RunStep | null = null;
  readonly #ended = Promise.withResolvers<RunEnd>();

  constructor(prepared: Prepared, log: RunLog, ports: RunPorts, past: Past, options: RunOptions) {
    this.#prepared = prepared;
    this.#log = log;
    this.#ports = ports;
    this.#past = past;
    this.#options = options;
    this.#began = ports.clock.now();
    this.#owners = new OutputOwners(ports.files, prepared.overwrite || past.steps.size > 0);
    const limits = { ...prepared.limits, ...options.limits };
    this.#budget = new Budget(limits, () => this.#elapsed(), ports.models.price.in);
    for (const used of past.used) this.#budget.add(used);
    const steps = prepared.steps.map(({ step }) => ({ name: step.name, skip: step.raw['on_error'] === 'skip' }));
    this.#state = newRunState(steps, this.#skippedBefore());
  }

  run(): Promise<RunEnd> {
    const { signal, pause } = this.#ports;
    const onAbort = (): void => this.#dispatch({ kind: 'cancel', paused: false });
    const onPause = (): void => this.#dispatch({ kind: 'cancel', paused: true });
    signal?.addEventListener('abort', onAbort);
    pause?.addEventListener('abort', onPause);
    if (signal?.aborted === true) onAbort();
    this.#dispatch({ kind: 'begin' });
    return this.#ended.promise.finally(() => {
      signal?.removeEventListener('abort', onAbort);
      pause?.removeEventListener('abort', onPause);
    });
  }

  #elapsed(): number {
    return this.#past.elapsed + this.#ports.clock.now() - this.#began;
  }

  /** Failures of steps that were closed, or that a kill left open. */
  #skippedBefore(): Skipped[] {
    const skipped: Skipped[] = [];
    for (const [at, { failures }] of [...this.#past.steps].sort(([a], [b]) => a - b)) {
      const step = this.#prepared.steps[at]?.step;
      if (step?.raw['on_error'] !== 'skip') continue;
      for (const [unit, fault] of failures)
        skipped.push({ step: step.name, unit, code: fault.code, message: fault.message });
    }
    return skipped;
  }

  #dispatch(event: RunEvent): void {
    const { state, effects } = transition(this.#state, event);
    this.#state = state;
    for (const effect of effects) void this.#perform(effect).catch((error: unknown) => this.#ended.reject(error));
  }

  async #perform(effect: RunEffect): Promise<void> {
    switch (effect.kind) {
      case 'open':
        return this.#openStep(effect.step);
      case 'ask':
        return this.#ask(effect.unit);
      case 'close':
        return this.#closeStep(effect.step);
      case 'end':
        return this.#end(effect);
    }
  }

  #append(line: RunLine): void {
    this.#log.append(line);
  }

  readonly #step = (name: string): Mapping | undefined => this.#earlier.get(name);

  async #openStep(at: number): Promise<void> {
    const prepared = this.#prepared.steps[at];
    if (prepared === undefined) throw failed('internal', 'There is no such step.');
    const { step } = prepared;
    const past = this.#past.steps.get(at) ?? null;
    const closed = past?.closed ?? null;
    if (closed !== null) {
      for (const { path } of closed.files) this.#owners.has(path, step.name);
      this.#remember(prepared, closed);
      this.#dispatch({ kind: 'closed' });
      return;
    }
    try {
      const world = { run: this.#prepared, past: this.#past, owners: this.#owners, ports: this.#ports };
      const open = await openRunStep(prepared, { ...world, earlier: this.#step, began: this.#began });
      const { over, frames, inputs } = open;
      const units = frames.length;
      if (!isBegun(past)) this.#append({ kind: 'opened', at: this.#ports.clock.now(), step: at, units, inputs });
      this.#open = open;
      this.#ports.said?.({ kind: 'opened', step: step.name, units });
      const parallel = this.#options.parallel ?? open.prepared.values.parallel;
      const ended = [...over].flatMap(([unit, error]) =>
        error === null ? [] : [{ state: 'failed' as const, unit, error }],
      );
      const stop = ended.sort((a, b) => a.unit - b.unit)[0] ?? null;
      this.#dispatch({ kind: 'opened', units, parallel, over: new Set(over.keys()), stop });
    } catch (error) {
      this.#dispatch({ kind: 'broken', fault: faultOf(error, step.name, step.place('input')) });
    }
  }

  async #ask(at: number): Promise<void> {
    const open = this.#open;
    if (open === null) throw failed('internal', 'No step is open.');
    const { prepared, frames, outputs, past } = open;
    const { step } = prepared;
    const frame = frames[at] ?? null;
    const flow = past?.flows.get(at) ?? null;
    const ofUnit = { step: step.at, unit: at, attempt: flow?.attempt ?? 1 };
    const fails = (fault: Fault): void => {
      this.#append({ kind: 'failed', at: this.#ports.clock.now(), ...ofUnit, fault });
      this.#ports.said?.({ kind: 'failed', step: step.name, unit: at, code: fault.code, message: fault.message });
      if (step.raw['on_error'] === 'skip') outputs.leftOut(at);
      this.#dispatch({ kind: 'failed', unit: at, fault });
    };
    const ofOutput = (output: Frame): string | null =>
      pathOfOutput(this.#prepared, prepared, frame, output, this.#step);
    let unit: Unit;
    let pathOf: PathOf;
    try {
      unit = unitOf(this.#prepared, prepared, frame, this.#step);
      pathOf = await this.#owners.pathsOf(prepared, unit, ofOutput, undefined);
    } catch (error) {
      return fails(faultOf(error, step.name));
    }
    const asked: AskedUnit = { at, step: prepared, unit, frame, flow, seed: this.#options.seed };
    const { unitMs } = open.budget;
    const end = await askUnit(asked, this.#ports, {
      run: this.#options.id,
      append: (line) => this.#append(line),
      sync: () => this.#log.sync(),
      reuse: this.#options.again.includes(step.at) ? NONE : this.#options.reuse,
      unitMs: unitMs ?? this.#budget.unitMs,
      mayAsk: (tokens) => this.#mayAsk(open, tokens),
      config: this.#prepared.config.raw,
      mayCall: () => this.#budget.beforeTool() ?? open.budget.beforeTool(),
      used: (spent, before) => this.#used(open, spent, before),
      calledTool: () => {
        this.#budget.add({ tool: 1 });
        open.budget.add({ tool: 1 });
      },
    });
    if (end.kind === 'rested') return this.#rest(at, step.name, end.limit);
    if (end.kind === 'failed') return fails(end.fault);
    try {
      if (prepared.outputOf === 'answer') pathOf = await this.#owners.pathsOf(prepared, unit, ofOutput, end.value);
      outputs.add(at, frame, end.value, pathOf);
    } catch (error) {
      return fails(faultOf(error, step.name));
    }
    this.#append(end.line);
    this.#ports.said?.({ kind: 'answered', step: step.name, unit: at });
    // The next unit is begun beside the writing: its first lines and this one's last reach the disk together.
    const written = this.#flush(outputs);
    this.#dispatch({ kind: 'answered', unit: at });
    await written;
  }

  async #flush(outputs: Outputs): Promise<void> {
    await this.#log.sync();
    await outputs.write();
  }

  /** false: one more call would go over a limit, or the run is to stop. */
  #mayAsk({ budget }: RunStep, tokens: number): 'yes' | 'no' | { limit: string } {
    if (this.#ports.signal?.aborted === true || this.#state.stop?.state === 'cancelled') return 'no';
    const limit = budget.beforeModel(tokens) ?? this.#budget.beforeModel(tokens);
    if (limit !== null) return { limit };
    budget.add({ model: 1 });
    this.#budget.add({ model: 1 });
    return 'yes';
  }

  #used({ budget }: RunStep, spent: Spent, before: Spent): void {
    const tokens = spent.tokens_in + spent.tokens_out - before.tokens_in - before.tokens_out;
    const cost = spent.cost - before.cost;
    budget.add({ tokens, cost });
    this.#budget.add({ tokens, cost });
  }

  #rest(unit: number, step: string, limit: string | null): void {
    const { signal, pause } = this.#ports;
    const error: Fault =
      limit === null
        ? cancelledFault(step, pause?.aborted === true && signal?.aborted !== true)
        : {
            ...{ code: 'budget', key: limit, step, at: null },
            message: `One more call would go over the limit "${limit}".`,
            remedy: FAULT_CODES.budget,
          };
    this.#dispatch({ kind: 'rested', unit, stop: { state: limit === null ? 'cancelled' : 'stopped', error } });
  }

  async #closeStep(at: number): Promise<void> {
    const open = this.#open;
    if (open === null) throw failed('internal', 'No step is open.');
    const { outputs, prepared } = open;
    await this.#log.sync();
    await outputs.write({ last: true });
    if (prepared.written !== null && prepared.outputOf === 'step') await outputs.writeEmpty(prepared.written.path);
    await this.#ports.files.sync();
    const { records, last } = outputs.summary();
    const files = await Promise.all(
      outputs.paths.map(async (path) => ({ path, sha256: await this.#ports.sha256(outputs.text(path)) })),
    );
    this.#append({ kind: 'closed', at: this.#ports.clock.now(), step: at, records, last, files });
    this.#remember(prepared, { records, last, files });
    this.#ports.said?.({ kind: 'closed', step: prepared.step.name, records });
    this.#open = null;
    this.#dispatch({ kind: 'closed' });
  }

  #remember(
    { step, written, outputOf }: PreparedStep,
    { records, last, files }: NonNullable<PastStep['closed']>,
  ): void {
    const paths = files.map(({ path }) => path);
    const output: Value =
      written !== null && outputOf === 'step' ? written.path : paths.length === 1 ? (paths[0] ?? null) : paths;
    this.#earlier.set(step.name, { output, count: records, last });
  }

  async #end({ state, error }: Extract<RunEffect, { kind: 'end' }>): Promise<void> {
    const outputs = this.#open?.outputs;
    await this.#log.sync();
    if (outputs !== undefined) {
      // Of a run that failed: what stands before the first unit that did.
      await outputs.write({ last: true, all: state === 'cancelled' || state === 'stopped' });
    }
    await this.#ports.files.sync();
    this.#append({ kind: 'ended', at: this.#ports.clock.now(), state, error });
    await this.#log.sync();
    const skipped = this.#state.skipped.toSorted((a, b) => this.#order(a) - this.#order(b) || a.unit - b.unit);
    this.#ended.resolve({ state, error, skipped });
  }

  #order({ step }: Skipped): number {
    return this.#state.steps.findIndex(({ name }) => name === step);
  }
}
