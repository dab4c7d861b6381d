/**
 * A playbook with its config, checked whole before anything is asked (PB-40). Every fault is found, not the first alone; of
 * steps whose inputs are there already, the units too.
 */
import { faultOf, PlaybookFault, type Fault } from '../faults.ts';
import { outputType } from '../files/contents.ts';
import { insideRoot } from '../files/paths.ts';
import { groupKey } from '../records/records.ts';
import { checkSpreads, templateOf } from '../records/template.ts';
import { readPlaybook } from '../read/playbook.ts';
import type { Playbook, Step } from '../read/playbook.types.ts';
import type { RunPorts } from '../run/ports.ts';
import { ConfigValues, merged, nested } from '../tokens/config-values.ts';
import { expandDeep, expandText, type Scope } from '../tokens/expand.ts';
import { scopeOf } from '../tokens/scopes.ts';
import { parseTemplate } from '../tokens/parse.ts';
import { fieldOf, mappingOf, printed, type Mapping } from '../value.ts';
import { estimateOf, type Estimate } from './estimate.ts';
import { isWritten, pathsOf, wantedOf, type Wanted, type Written } from './inputs.ts';
import { checkStepTokens, needs, textsIn } from './step-tokens.ts';
import type { Prepared, PreparedStep } from './prepare.types.ts';
import { limitsOf, stepValues, wholeNumber } from './step-values.ts';
import { codeOfStep, unagreed, type StepCode } from './free-code.ts';
import { checkTools, namedTools } from './tools.ts';
import { openStep, type OpenedStep } from './open-step.ts';
import { unitOf } from './unit.ts';

export interface Source {
  playbook: string;
  config: Mapping;
  set: Mapping;
  /** Keys of all steps that ask a model, before their own. */
  step?: Mapping;
  overwrite: boolean;
  /** The run's own files are there: it is taken up again. */
  resumed?: boolean;
}

export interface Checked {
  /** null where there are faults. */
  prepared: Prepared | null;
  faults: Fault[];
  notes: string[];
  estimate: Estimate | null;
  /** Patterns of hosts that its steps would ask. */
  domains: string[];
  /** Free code that its steps would run. */
  code: StepCode[];
}

type CheckPorts = Pick<RunPorts, 'files' | 'models' | 'tools' | 'sha256'>;

export async function prepare(source: Source, ports: CheckPorts): Promise<Checked> {
  const { playbook: read, faults } = readPlaybook(source.playbook);
  const playbook = read === null ? null : withStepKeys(read, source.step ?? {});
  const notes: string[] = [];
  if (playbook === null) return { prepared: null, faults, notes, estimate: null, domains: [], code: [] };

  const config = new ConfigValues(merged(merged(playbook.defaults, source.config), nested(source.set)));
  for (const name of playbook.required)
    try {
      if (config.get([{ kind: 'key', key: name }], `config:${name}`) === undefined)
        throw new PlaybookFault('config_missing', name, `The playbook needs "${name}" in its config.`);
    } catch (error) {
      faults.push(faultOf(error, null));
    }

  for (const [at, step] of playbook.steps.entries()) {
    const found = checkStepTokens(
      step,
      playbook.steps.slice(0, at).map(({ name }) => name),
      config,
    );
    faults.push(...found.faults);
    notes.push(...found.notes);
  }
  // What follows expands tokens: the same faults again would tell nothing.
  if (faults.length > 0) return { prepared: null, faults, notes, estimate: null, domains: [], code: [] };

  const scope = config.scope;
  const attempt = <T>(step: Step | null, key: string | null, read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      faults.push(faultOf(error, step?.name ?? null, step?.place(key) ?? null));
      return null;
    }
  };
  const limits = attempt(null, 'limits', () => limitsOf(playbook.limits, scope)) ?? {};
  const steps = playbook.steps.map((step) => prepareStep(step, scope, attempt, faults));
  twice(steps, faults);
  const prepared: Prepared = { playbook, config, limits, steps, overwrite: source.overwrite };
  const opened = await checkFiles(prepared, source, ports, faults);
  const asking = new Set(ports.tools.flatMap(({ name, asks }) => (asks === undefined ? [] : [name])));
  const domains = new Set<string>();
  const code: StepCode[] = [];
  for (const { step, values } of steps) {
    const reached = values.agent.domains;
    attempt(step, 'tool', () => checkTools(step, reached, ports.tools));
    try {
      const found = await codeOfStep(step, ports.tools, ports.sha256);
      if (found !== null) code.push(found);
      if (found?.agreed === false) throw unagreed(found);
    } catch (error) {
      faults.push(faultOf(error, step.name, step.place('with')));
    }
    const { enabled, tools, iterations } = values.agent;
    if (enabled && tools.length > 0 && iterations === null && step.raw['max_requery_iterations'] === undefined)
      notes.push(`step "${step.name}": its agent calls nothing: say how often, with max_requery_iterations: 3.`);
    if (namedTools(step).some((name) => asking.has(name))) for (const one of reached) domains.add(one.toLowerCase());
    const model = attempt(step, 'model', () => modelOf(step, scope));
    attempt(step, 'model', () => {
      if (model === undefined || step.raw['tool'] !== undefined || ports.models.nameOf(model) !== null) return;
      const name = model ?? 'the model';
      throw new PlaybookFault('model_unmapped', name, `Nothing is known that "${name}" stands for.`);
    });
  }
  const estimate = faults.length > 0 ? null : estimateOf(prepared, opened, ports.models);
  return { prepared: faults.length > 0 ? null : prepared, faults, notes, estimate, domains: [...domains].sort(), code };
}

function withStepKeys(playbook: Playbook, keys: Mapping): Playbook {
  if (Object.keys(keys).length === 0) return playbook;
  const steps = playbook.steps.map((step) =>
    step.raw['tool'] === undefined ? { ...step, raw: merged(step.raw, keys) } : step,
  );
  return { ...playbook, steps };
}

/** null: it names none; undefined: its units decide. */
function modelOf(step: Step, scope: Scope): string | null | undefined {
  const said = fieldOf(step.raw, 'model') ?? null;
  if (typeof said !== 'string') return null;
  const wanted = needs(said);
  if (wanted.unit || wanted.step) return undefined;
  return printed(expandText(said, scope)).trim();
}

type Attempt = <T>(step: Step | null, key: string | null, read: () => T) => T | null;

function prepareStep(step: Step, scope: Scope, attempt: Attempt, faults: Fault[]): PreparedStep {
  const { raw } = step;
  const ofStep = (key: string): boolean => textsIn(raw[key] ?? null).some((text) => needs(text).step);
  const values = stepValues(step, scope, (key, error) => {
    // Of earlier steps: known when it is opened.
    if (!ofStep(key)) faults.push(faultOf(error, step.name, step.place(key)));
  });
  const count = raw['count'] ?? null;
  if (count !== null && !textsIn(count).some((text) => needs(text).unit || needs(text).step))
    attempt(step, 'count', () => wholeNumber('count', expandDeep(count, scope), { least: 0, most: 100_000 }));
  const template = step.format === null ? null : attempt(step, 'output_format', () => templateOf(step.format));
  attempt(step, 'output_format', () => checkSpreads(step.format));
  if (step.groupBy !== null && step.inputs === null)
    attempt(step, 'group_by', () => groupKey(null, step.groupBy ?? []));
  const written = attempt(step, 'output', () => writtenOf(step, scope));
  return { step, values, template, written: written?.written ?? null, outputOf: written?.outputOf ?? 'step' };
}

/** Throws PlaybookFault `path_outside`, `output_type`. */
function writtenOf(step: Step, scope: Scope): { written: Written | null; outputOf: PreparedStep['outputOf'] } {
  const said = fieldOf(step.raw, 'output') ?? null;
  if (typeof said !== 'string') return { written: null, outputOf: 'step' };
  const wanted = needs(said);
  if (!wanted.unit && !wanted.output && !wanted.step) {
    const path = insideRoot(printed(expandText(said, scope)));
    outputType(path);
    return { written: { step: step.name, path, like: null }, outputOf: 'step' };
  }
  // What the unit puts in is not known: a path like it, and the pattern of all.
  const pieces = parseTemplate(said).parts.map((part) => {
    if (part.kind === 'text') return part.text;
    return needs(part.source).unit || needs(part.source).output || needs(part.source).step
      ? null
      : printed(expandText(part.source, scope));
  });
  const like = pieces.map((piece) => (piece === null ? '.*' : escaped(piece))).join('');
  const path = pieces
    .map((piece) => piece ?? 'x')
    .join('')
    .replace(/^(?:\.\/)+/, '');
  return {
    written: { step: step.name, path, like: new RegExp(`^(?:\\./)*${like.replace(/^(?:\\\.\/)+/, '')}$`) },
    outputOf: wanted.output ? 'answer' : 'unit',
  };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function twice(steps: readonly PreparedStep[], faults: Fault[]): void {
  const seen = new Map<string, string>();
  for (const { step, written, outputOf } of steps) {
    if (written === null || outputOf !== 'step') continue;
    const other = seen.get(written.path);
    if (other === undefined) seen.set(written.path, step.name);
    else
      faults.push(
        faultOf(
          new PlaybookFault(
            'output_twice',
            written.path,
            `The steps "${other}" and "${step.name}" both write "${written.path}".`,
          ),
          step.name,
          step.place('output'),
        ),
      );
  }
}

/** Inputs and outputs; of steps whose inputs are all there, the units. */
async function checkFiles(
  prepared: Prepared,
  { resumed = false }: Source,
  ports: CheckPorts,
  faults: Fault[],
): Promise<Map<number, OpenedStep>> {
  const { steps, config } = prepared;
  const opened = new Map<number, OpenedStep>();
  const outputs = mappingOf(
    steps.flatMap(({ step, written, outputOf }) =>
      written === null || outputOf !== 'step' ? [] : [[step.name, { output: written.path }] as const],
    ),
  );
  const scopeAt = scopeOf({ config, unit: null, step: (name) => fieldOf(outputs, name) as Mapping | undefined });
  for (const { step } of steps) {
    const fault = (error: unknown, key: string): void => void faults.push(faultOf(error, step.name, step.place(key)));
    try {
      const wanted = step.inputs === null ? [] : wantedAhead(step, scopeAt);
      if (wanted === null) continue;
      laterThan(step, wanted, steps);
      const before = steps.slice(0, step.at).flatMap(({ written: one }) => one ?? []);
      const ready = wanted.filter((one) => !before.some((other) => isWritten(one, other)));
      const allowEmpty = fieldOf(step.raw, 'allow_empty') === true;
      if (ready.length < wanted.length) {
        // Made by earlier steps, in part: what nobody makes is there already.
        await pathsOf(
          ready.filter(({ kind }) => kind === 'path'),
          ports.files,
          { allowEmpty: true },
        );
        continue;
      }
      await pathsOf(wanted, ports.files, { allowEmpty });
      const inputs = await openStep(step, scopeAt, ports.files);
      opened.set(step.at, inputs);
      await unitPaths(prepared, step.at, inputs, ports, resumed);
    } catch (error) {
      fault(error, 'input');
    }
  }
  for (const { step, written, outputOf } of steps) {
    if (written === null || outputOf !== 'step' || prepared.overwrite || resumed) continue;
    try {
      if (await ports.files.isThere(written.path))
        throw new PlaybookFault('output_exists', written.path, `"${written.path}" is there already.`);
    } catch (error) {
      faults.push(faultOf(error, step.name, step.place('output')));
    }
  }
  return opened;
}

/** null: what is asked for is known when earlier steps are done. */
function wantedAhead(step: Step, scope: Scope): Wanted[] | null {
  const texts = step.inputs ?? [];
  try {
    return texts.flatMap((text) => wantedOf(text, scope));
  } catch (error) {
    if (texts.some((text) => needs(text).step) && error instanceof PlaybookFault && error.code !== 'path_outside')
      return null;
    throw error;
  }
}

function laterThan(step: Step, wanted: readonly Wanted[], steps: readonly PreparedStep[]): void {
  for (const { written } of steps.slice(step.at)) {
    if (written === null) continue;
    const one = wanted.find((input) => isWritten(input, written));
    if (one === undefined) continue;
    const path = one.kind === 'path' ? one.path : written.path;
    const who = written.step === step.name ? 'which it writes itself' : `which the later step "${written.step}" writes`;
    throw new PlaybookFault('input_later', path, `The step "${step.name}" reads "${path}", ${who}.`);
  }
}

/** Paths of units that are known already. Faults of single units are theirs when they run. */
async function unitPaths(
  prepared: Prepared,
  at: number,
  inputs: OpenedStep,
  ports: CheckPorts,
  resumed: boolean,
): Promise<void> {
  const step = prepared.steps[at];
  if (step === undefined || step.outputOf !== 'unit') return;
  for (const frame of inputs.frames) {
    let path: string | null;
    try {
      ({ path } = unitOf(prepared, step, frame, () => undefined));
    } catch (error) {
      if (error instanceof PlaybookFault && (error.code === 'path_outside' || error.code === 'output_type'))
        throw error;
      continue;
    }
    if (path !== null && !prepared.overwrite && !resumed && (await ports.files.isThere(path)))
      throw new PlaybookFault('output_exists', path, `"${path}" is there already.`);
  }
}
