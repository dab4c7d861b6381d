/** Opens a step of a run: its inputs and units, and what the journal has of it, whose answers are put into the files again. */
import { openStep } from '../check/open-step.ts';
import type { Prepared, PreparedStep } from '../check/prepare.types.ts';
import { stepValues } from '../check/step-values.ts';
import { pathOfOutput, pathOfUnit } from '../check/unit.ts';
import { PlaybookFault, type Fault } from '../faults.ts';
import { scopeOf, type Frame, type Places } from '../tokens/scopes.ts';
import { Budget } from './budget.ts';
import type { OutputOwners } from './output-owners.ts';
import { Outputs } from './outputs.ts';
import type { Past, PastStep } from './past.ts';
import type { RunPorts } from './ports.ts';

/** What the step in hand is run with. */
export interface RunStep {
  prepared: PreparedStep;
  frames: readonly (Frame | null)[];
  inputs: PastStep['inputs'];
  outputs: Outputs;
  budget: Budget;
  past: PastStep | null;
  /** Units that the journal has an end of, with the fault of one that ends the run. */
  over: ReadonlyMap<number, Fault | null>;
}

export interface StepWorld {
  run: Prepared;
  past: Past;
  owners: OutputOwners;
  ports: RunPorts;
  /** What `step:NAME` names. */
  earlier: NonNullable<Places['step']>;
  /** When the session began. */
  began: number;
}

/** Throws PlaybookFault; `run_changed` where it was begun over other inputs (PB-43). */
export async function openRunStep(prepared: PreparedStep, world: StepWorld): Promise<RunStep> {
  const { run, ports, earlier } = world;
  const { step, template } = prepared;
  const past = world.past.steps.get(step.at) ?? null;
  const scope = scopeOf({ config: run.config, unit: null, step: earlier });
  const { inputs, frames } = await openStep(step, scope, ports.files);
  const values = stepValues(step, scope, (_key, error) => {
    throw error;
  });
  if (isBegun(past)) sameInputs(past, inputs);
  const budget = new Budget({ ...values.limits }, () => ports.clock.now() - world.began, ports.models.price.in);
  for (const used of world.past.used) if (used.step === step.at) budget.add(used);
  const { groupBy, answerDivision } = step;
  const outputs = new Outputs({ config: run.config, template, groupBy, answerDivision, step: earlier }, ports);
  const opened = { prepared: { ...prepared, values }, frames, inputs, outputs, budget, past };
  return { ...opened, over: await takeUp(opened, world) };
}

/** Whether the journal says that it was opened before. */
export const isBegun = (past: PastStep | null): past is PastStep =>
  past !== null && past.inputs.length + past.units > 0;

/** Its outputs before any record was made anew. */
async function takeUp(
  { past, frames, outputs, prepared }: Omit<RunStep, 'over'>,
  { run, owners, earlier }: StepWorld,
): Promise<Map<number, Fault | null>> {
  const over = new Map<number, Fault | null>();
  if (past === null) return over;
  for (const [unit, value] of [...past.answers].sort(([a], [b]) => a - b)) {
    const frame = frames[unit] ?? null;
    // What was asked is not expanded again.
    const path = pathOfUnit(run, prepared, frame, earlier);
    const ofOutput = (output: Frame): string | null => pathOfOutput(run, prepared, frame, output, earlier);
    outputs.add(unit, frame, value, await owners.pathsOf(prepared, { path }, ofOutput, value));
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

function sameInputs(past: PastStep, inputs: PastStep['inputs']): void {
  const before = new Map(past.inputs.map(({ path, sha256 }) => [path, sha256]));
  const changed = inputs.filter(({ path, sha256 }) => before.get(path) !== sha256).map(({ path }) => path);
  const gone = past.inputs.filter(({ path }) => !inputs.some((one) => one.path === path)).map(({ path }) => path);
  const [first] = [...changed, ...gone];
  if (first === undefined) return;
  throw new PlaybookFault('run_changed', first, `The input "${first}" is another than when the run began.`);
}
