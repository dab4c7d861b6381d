/**
 * The driver of a run: does what the transitions say (states.ts) and writes it down.
 *
 *   PB-41 each unit is a workflow of the agent's engine, in the journal before it is asked and after; its outputs are durable
 *         there before they are in a file
 *   PB-43 killed anywhere and resumed, nothing is asked twice and the files come out the same
 */
import { failed } from '#core/errors.ts';
import type { Spent } from '#core/agent/workflow/workflow.ts';
import { divideAnswer } from '../division/divide.ts';
import { openStep } from '../check/open-step.ts';
import type { Prepared, PreparedStep } from '../check/prepare.types.ts';
import { stepValues, type Limits } from '../check/step-values.ts';
import { pathOfOutput, unitOf, type Unit } from '../check/unit.ts';
import { faultOf, PlaybookFault, type Fault } from '../faults.ts';
import { scopeOf, type Frame } from '../tokens/scopes.ts';
import type { Mapping, Value } from '../value.ts';
import { Budget } from './budget.ts';
import type { RunLine } from './lines.ts';
import { Outputs } from './outputs.ts';
import type { Past, PastStep } from './past.ts';
import type { RunLog, RunPorts } from './ports.ts';
import {
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
  reuse: ReadonlyMap<string, Value>;
}

export interface RunEnd {
  state: EndState;
  error: Fault | null;
  skipped: readonly Skipped[];
}

/** What the step in hand is run with. */
interface OpenStep {
  prepared: PreparedStep;
  frames: readonly (Frame | null)[];
  outputs: Outputs;
  budget: Budget;
  past: PastStep | null;
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
  /** Paths that this run wrote, and the step that did. */
  readonly #owners = new Map<string, string>();
  #state: RunState;
  #open: OpenStep | null = null;
  readonly #ended = Promise.withResolvers<RunEnd>();

  constructor(prepared: Prepared, log: RunLog, ports: RunPorts, past: Past, options: RunOptions) {
    this.#prepared = prepared;
    this.#log = log;
    this.#ports = ports;
    this.#past = past;
    this.#options = options;
    this.#began = ports.clock.now();
    this.#budget = new Budget({ ...prepared.limits, ...options.limits }, () => this.#elapsed());
    for (const used of past.used) this.#budget.add(used);
    const steps = prepared.steps.map(({ step }) => ({ name: step.name, skip: step.raw['on_error'] === 'skip' }));
    this.#state = newRunState(steps, this.#skippedBefore());
  }

  run(): Promise<RunEnd> {
    const { signal } = this.#ports;
    const onAbort = (): void => this.#dispatch({ kind: 'cancel' });
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) onAbort();
    this.#dispatch({ kind: 'begin' });
    return this.#ended.promise.finally(() => signal?.removeEventListener('abort', onAbort));
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
    const owned = past?.closed ?? null;
    if (owned !== null) {
      for (const { path } of owned.files) this.#owners.set(path, step.name);
      this.#remember(prepared, owned);
      this.#dispatch({ kind: 'closed' });
      return;
    }
    try {
      const scope = scopeOf({ config: this.#prepared.config, unit: null, step: this.#step });
      const { inputs, frames } = await openStep(step, scope, this.#ports.files);
      const values = stepValues(step, scope, (_key, error) => {
        throw error;
      });
      const begun = past !== null && past.inputs.length + past.units > 0;
      if (begun) sameInputs(past, inputs);
      else this.#append({ kind: 'opened', at: this.#ports.clock.now(), step: at, units: frames.length, inputs });
      const budget = new Budget({ ...values.limits }, () => this.#ports.clock.now() - this.#began);
      for (const used of this.#past.used) if (used.step === at) budget.add(used);
      const { config } = this.#prepared;
      const { template } = prepared;
      const using = { config, template, groupBy: step.groupBy, answerDivision: step.answerDivision, step: this.#step };
      const outputs = new Outputs(using, this.#ports);
      this.#open = { prepared: { ...prepared, values }, frames, outputs, budget, past };
      const over = await this.#takeUp(this.#open);
      this.#ports.said?.({ kind: 'opened', step: step.name, units: frames.length });
      const parallel = this.#options.parallel ?? values.parallel;
      const ended = [...over].flatMap(([unit, error]) =>
        error === null ? [] : [{ state: 'failed' as const, unit, error }],
      );
      const stop = ended.sort((a, b) => a.unit - b.unit)[0] ?? null;
      this.#dispatch({ kind: 'opened', units: frames.length, parallel, over: new Set(over.keys()), stop });
    } catch (error) {
      this.#dispatch({ kind: 'broken', fault: faultOf(error, step.name, step.place('input')) });
    }
  }

  /** What the journal has of the step: its answers are put into the files again. Units that are over, with their faults. */
  async #takeUp({ past, frames, outputs, prepared }: OpenStep): Promise<Map<number, Fault | null>> {
    const over = new Map<number, Fault | null>();
    if (past === null) return over;
    for (const [unit, value] of [...past.answers].sort(([a], [b]) => a - b)) {
      const frame = frames[unit] ?? null;
      const one = unitOf(this.#prepared, prepared, frame, this.#step);
      outputs.add(unit, frame, value, await this.#pathsOf(one, frame, prepared, value));
      over.set(unit, null);
    }
    // Skipped ones are in the state from the start.
    const skips = prepared.step.raw['on_error'] === 'skip';
    for (const [unit, fault] of past.failures) {
      over.set(unit, skips ? null : fault);
      if (skips) outputs.leftOut(unit);
    }
    await outputs.write({ last: true });
    return over;
  }

  /** Where the records of a unit go; the paths are this step's from now on. Throws PlaybookFault. */
  async #pathsOf(
    unit: Unit,
    frame: Frame | null,
    prepared: PreparedStep,
    value: Value | undefined,
  ): Promise<(output: Frame | null) => string | null> {
    if (prepared.outputOf !== 'answer') {
      if (unit.path !== null) await this.#own(unit.path, prepared.step.name);
      return () => unit.path;
    }
    const pathOf = (output: Frame | null): string | null =>
      output === null ? null : pathOfOutput(this.#prepared, prepared, frame, output, this.#step);
    if (value !== undefined) {
      for (const output of divideAnswer(value, prepared.step.answerDivision)) {
        const path = pathOf(output);
        if (path !== null) await this.#own(path, prepared.step.name);
      }
    }
    return pathOf;
  }

  async #own(path: string, step: string): Promise<void> {
    const owner = this.#owners.get(path);
    if (owner === step) return;
    if (owner !== undefined)
      throw new PlaybookFault('output_twice', path, `The steps "${owner}" and "${step}" both write "${path}".`);
    const resumed = this.#past.steps.size > 0;
    if (!this.#prepared.overwrite && !resumed && (await this.#ports.files.isThere(path)))
      throw new PlaybookFault('output_exists', path, `"${path}" is there already.`);
    this.#owners.set(path, step);
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
    let unit: Unit;
    let pathOf: (output: Frame | null) => string | null;
    try {
      unit = unitOf(this.#prepared, prepared, frame, this.#step);
      pathOf = await this.#pathsOf(unit, frame, prepared, undefined);
    } catch (error) {
      return fails(faultOf(error, step.name));
    }
    const asked: AskedUnit = { at, step: prepared, unit, frame, flow, seed: this.#options.seed };
    const { unitMs } = open.budget;
    const end = await askUnit(asked, this.#ports, {
      run: this.#options.id,
      append: (line) => this.#append(line),
      sync: () => this.#log.sync(),
      reuse: this.#options.reuse,
      unitMs: unitMs ?? this.#budget.unitMs,
      mayAsk: (tokens) => this.#mayAsk(open, tokens),
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
      if (prepared.outputOf === 'answer') pathOf = await this.#pathsOf(unit, frame, prepared, end.value);
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
  #mayAsk({ budget }: OpenStep, tokens: number): 'yes' | 'no' | { limit: string } {
    if (this.#ports.signal?.aborted === true || this.#state.stop?.state === 'cancelled') return 'no';
    const limit = budget.beforeModel(tokens) ?? this.#budget.beforeModel(tokens);
    if (limit !== null) return { limit };
    budget.add({ model: 1 });
    this.#budget.add({ model: 1 });
    return 'yes';
  }

  #used({ budget }: OpenStep, spent: Spent, before: Spent): void {
    const tokens = spent.tokens_in + spent.tokens_out - before.tokens_in - before.tokens_out;
    const cost = spent.cost - before.cost;
    budget.add({ tokens, cost });
    this.#budget.add({ tokens, cost });
  }

  #rest(unit: number, step: string, limit: string | null): void {
    const error: Fault =
      limit === null
        ? {
            code: 'cancelled',
            key: step,
            step,
            at: null,
            message: 'The run was cancelled.',
            remedy: 'Resume the run when you like.',
          }
        : {
            ...{ code: 'budget', key: limit, step, at: null },
            message: `One more call would go over the limit "${limit}".`,
            remedy: 'Raise the limit and resume the run: --limit KEY=VALUE.',
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

/** PB-43: a run is not taken up over other inputs. Throws PlaybookFault `run_changed`. */
function sameInputs(past: PastStep, inputs: PastStep['inputs']): void {
  const before = new Map(past.inputs.map(({ path, sha256 }) => [path, sha256]));
  const changed = inputs.filter(({ path, sha256 }) => before.get(path) !== sha256).map(({ path }) => path);
  const gone = past.inputs.filter(({ path }) => !inputs.some((one) => one.path === path)).map(({ path }) => path);
  const [first] = [...changed, ...gone];
  if (first === undefined) return;
  throw new PlaybookFault('run_changed', first, `The input "${first}" is another than when the run began.`);
}
