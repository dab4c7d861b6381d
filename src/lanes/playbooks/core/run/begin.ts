/** Begins a run, and takes one up again. */
import { failed } from '#core/errors.ts';
import { prepare, type Source } from '../check/prepare.ts';
import type { Prepared } from '../check/prepare.types.ts';
import type { Limits } from '../check/step-values.ts';
import { faultOf, PlaybookFault, type Fault } from '../faults.ts';
import { isMapping, type Mapping } from '../value.ts';
import { addLine, pastOf, type Past, type Reused } from './past.ts';
import type { RunPorts, RunStore } from './ports.ts';
import { runPlaybook, type RunEnd } from './run-playbook.ts';
import type { RunLine } from './lines.ts';
import { stepsAgain, type Again } from './take-over.ts';
import { noRun } from './store-failures.ts';

export interface BeginOptions {
  id: string;
  seed: number;
  limits: Limits;
  parallel: number | null;
  /** The run that units are taken over from; null: none. */
  reuse: string | null;
  /** Steps of which none is. */
  again?: Again;
}

export type Begun =
  /** Nothing was asked, and no file written. */
  { state: 'refused'; faults: Fault[]; notes: string[] } | { state: 'begun'; end: RunEnd };

/** Rejects with AccessionError where the store says no. */
export async function beginRun(
  source: Source,
  store: Pick<RunStore, 'create' | 'read'>,
  ports: RunPorts,
  options: BeginOptions,
): Promise<Begun> {
  const reuse = options.reuse === null ? new Map<string, Reused>() : (await pastIn(store, options.reuse)).keys;
  // A run that takes units over writes the files of the other anew.
  const checked = await prepare({ ...source, overwrite: source.overwrite || options.reuse !== null }, ports);
  if (checked.prepared === null) return { state: 'refused', faults: checked.faults, notes: checked.notes };
  const { prepared } = checked;
  let again: number[];
  try {
    again = stepsAgain(prepared.playbook, options.again ?? {});
  } catch (error) {
    return { state: 'refused', faults: [faultOf(error, null)], notes: checked.notes };
  }
  const head = headOf(source, prepared, ports, { ...options, again });
  const log = await store.create(options.id);
  try {
    log.append(head);
    log.append({ kind: 'session', at: ports.clock.now(), limits: options.limits } satisfies RunLine);
    await log.sync();
    const past = pastOf([head]);
    return { state: 'begun', end: await runPlaybook(prepared, log, ports, past, { ...options, reuse, again }) };
  } finally {
    await log.close();
  }
}

function headOf(
  source: Source,
  prepared: Prepared,
  ports: RunPorts,
  { id, seed, reuse, again }: Omit<BeginOptions, 'again'> & { again: number[] },
): RunLine {
  return {
    ...{ kind: 'run', schema_version: 1, id, at: ports.clock.now(), name: prepared.playbook.name },
    ...{
      playbook: source.playbook,
      config: source.config,
      set: source.set,
      overwrite: source.overwrite || reuse !== null,
    },
    ...{ seed, tools: toolVersions(ports), reuse },
    ...(Object.keys(source.step ?? {}).length === 0 ? {} : { step: source.step }),
    ...(again.length === 0 ? {} : { again }),
  };
}

const toolVersions = ({ tools }: RunPorts): Record<string, string> =>
  Object.fromEntries(tools.map(({ name, version }) => [name, String(version)]));

export interface ResumeOptions {
  /** Over those of the session before. */
  limits: Limits;
  parallel: number | null;
  /** As the files are now, where they are known; another one than the run's is refused. */
  playbook?: string;
  config?: Mapping;
}

/** Throws AccessionError `not_found`, `conflict`, `invalid`. */
export async function resumeRun(
  id: string,
  store: Pick<RunStore, 'open' | 'read'>,
  ports: RunPorts,
  options: ResumeOptions,
): Promise<Begun> {
  const { lines, log } = await store.open(id);
  try {
    const past = pastOf(lines);
    if (past.end?.state === 'completed' || past.end?.state === 'completed_with_failures')
      throw failed('conflict', `The run ${id} is ${past.end.state}: there is nothing to resume.`, {
        remedy: 'Begin a new run.',
      });
    const changed = changes(past, ports, options);
    const { head } = past;
    const source: Source = {
      ...{
        playbook: head.playbook,
        config: asMapping(head.config),
        set: asMapping(head.set),
        step: asMapping(head.step),
      },
      ...{ overwrite: head.overwrite, resumed: true },
    };
    const checked = await prepare(source, ports);
    const faults = [...changed, ...checked.faults];
    if (checked.prepared === null || faults.length > 0) return { state: 'refused', faults, notes: checked.notes };
    const session: RunLine = { kind: 'session', at: ports.clock.now(), limits: { ...past.limits, ...options.limits } };
    log.append(session);
    await log.sync();
    addLine(past, session);
    // Of a run that was removed since, nothing more is taken over.
    const other = head.reuse === null ? null : await store.read(head.reuse);
    const reuse = other === null || other.length === 0 ? new Map<string, Reused>() : pastOf(other).keys;
    const { again = [], seed } = head;
    const run = { id, seed, parallel: options.parallel, reuse, again, limits: past.limits as Limits };
    return { state: 'begun', end: await runPlaybook(checked.prepared, log, ports, past, run) };
  } finally {
    await log.close();
  }
}

const asMapping = (value: unknown): Mapping => (isMapping(value) ? value : {});

/** PB-43: what differs from when the run was begun. */
function changes({ head }: Past, ports: RunPorts, { playbook, config }: ResumeOptions): Fault[] {
  const faults: Fault[] = [];
  const differ = (key: string, message: string): void => {
    const { code, remedy } = new PlaybookFault('run_changed', key, message);
    faults.push({ code, key, step: null, at: null, message, remedy });
  };
  if (playbook !== undefined && playbook !== head.playbook) {
    const line = firstDifference(head.playbook, playbook);
    differ('playbook', `The playbook is another than when the run began: line ${line} differs.`);
  }
  if (config !== undefined)
    for (const key of new Set([...Object.keys(config), ...Object.keys(head.config)]))
      if (JSON.stringify(config[key]) !== JSON.stringify(head.config[key]))
        differ(key, `The config's "${key}" is another than when the run began.`);
  const tools = toolVersions(ports);
  for (const [name, version] of Object.entries(head.tools))
    if (tools[name] !== version && new RegExp(`\\b${name}\\b`).test(head.playbook))
      differ(name, `The tool "${name}" was version ${version} and is ${tools[name] ?? 'gone'}.`);
  return faults;
}

function firstDifference(before: string, now: string): number {
  const [a, b] = [before.split('\n'), now.split('\n')];
  const at = a.findIndex((line, index) => line !== b[index]);
  return (at < 0 ? a.length : at) + 1;
}

async function pastIn(store: Pick<RunStore, 'read'>, id: string): Promise<Past> {
  const lines = await store.read(id);
  if (lines === null) throw noRun(id);
  return pastOf(lines);
}
