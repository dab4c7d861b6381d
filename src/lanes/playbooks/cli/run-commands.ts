/** `playbook check`, `run` and `resume`. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { INTERRUPTED, type CliFrame } from '#cli/lane-cli.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import { failed } from '#core/errors.ts';
import { readConfigFile } from '#server/config-file.ts';
import { beginRun, resumeRun, type Begun } from '#lanes/playbooks/core/run/begin.ts';
import { prepare, type Source } from '#lanes/playbooks/core/check/prepare.ts';
import type { Limits } from '#lanes/playbooks/core/check/step-values.ts';
import { faultOf, PlaybookFault, type Fault } from '#lanes/playbooks/core/faults.ts';
import { LIMIT_KEYS } from '#lanes/playbooks/core/read/playbook.types.ts';
import type { Again } from '#lanes/playbooks/core/run/take-over.ts';
import { pastOf } from '#lanes/playbooks/core/run/past.ts';
import { DiskFiles } from '#lanes/playbooks/node/disk-files.ts';
import { DiskRuns } from '#lanes/playbooks/node/disk-runs.ts';
import { directoryOf, runsOf } from './data-directory.ts';
import { keepPlace, placeOf } from '#lanes/playbooks/node/run-place.ts';
import { faultLine } from './fault-line.ts';
import { progress } from './progress.ts';
import { readSource, settings, stepSettings, WrongUsage, type Texts } from './read-source.ts';
import { runModels, type ModelFlags } from './run-models.ts';
import { runPorts } from './run-ports.ts';
import { agreedIn, openReach, type ReachFlags } from './run-reach.ts';
import { writeMetrics } from '#lanes/playbooks/node/run-metrics.ts';

export interface CheckFlags extends ModelFlags, ReachFlags {
  config?: string;
  set?: string[];
  step?: string[];
  root: string;
  overwrite?: boolean;
  json?: string;
  data?: string;
}

interface RunningFlags extends ModelFlags, ReachFlags {
  limit?: string[];
  parallel?: number;
  json?: string;
  data?: string;
}

export interface RunFlags extends CheckFlags, RunningFlags {
  reuse?: string;
  from?: string;
  again?: string[];
  seed: number;
}

export interface ResumeFlags extends RunningFlags {
  root?: string;
}

const toStderr = (line: string): void => void process.stderr.write(`${line}\n`);

/** Faults of the config, too, are said as faults. */
async function sourceOf(file: string, flags: CheckFlags): Promise<{ texts: Texts; source: Source } | Fault> {
  try {
    const texts = await readSource(file, flags.config);
    const { playbook, config } = texts;
    const step = stepSettings(flags.step ?? []);
    const set = settings(flags.set ?? []);
    return { texts, source: { playbook, config, set, step, overwrite: flags.overwrite === true } };
  } catch (error) {
    if (error instanceof PlaybookFault) return faultOf(error, null);
    throw error;
  }
}

async function mapped(flags: ModelFlags & { data?: string }, frame: CliFrame) {
  const { playbooks } = await readConfigFile(process.env, directoryOf(flags));
  return runModels(flags, playbooks.models, frame.openModel);
}

function toolsOfLanes(flags: ReachFlags & { data?: string }, frame: CliFrame): Promise<readonly OfferedTool[]> {
  const { library } = flags;
  return frame.stepTools({
    ...(library === undefined ? {} : { library }),
    ...{ data: directoryOf(flags), agreed: agreedIn(flags) },
  });
}

/** Exit code. */
export async function checkCommand(file: string, flags: CheckFlags, frame: CliFrame): Promise<number> {
  const read = await sourceOf(file, flags);
  const models = await mapped(flags, frame);
  const checked =
    'code' in read
      ? { faults: [read], notes: [], estimate: null }
      : await prepare(
          read.source,
          runPorts(await DiskFiles.open(flags.root, [runsOf(flags)]), models, {
            reach: await openReach(flags, directoryOf(flags)),
            tools: await toolsOfLanes(flags, frame),
          }),
        );
  const { faults, notes, estimate } = checked;
  for (const fault of faults) frame.say(faultLine(fault));
  for (const note of notes) frame.say(note);
  if (estimate !== null) {
    const { units, calls, tokens, cost_usd, unknown } = estimate;
    const later =
      unknown.length === 0 ? '' : `; not known yet: the units of ${unknown.map((one) => `"${one}"`).join(', ')}`;
    const dollars = cost_usd > 0 ? `, $${cost_usd.toFixed(4)} for them` : '';
    frame.say(
      `right: ${units} units, ${calls} calls of the model, about ${tokens} tokens of prompts${dollars}${later}`,
    );
  }
  if (flags.json !== undefined)
    await writeFile(flags.json, `${JSON.stringify({ faults, notes, estimate }, null, 2)}\n`);
  return faults.length === 0 ? 0 : 1;
}

export async function runCommand(file: string, flags: RunFlags, frame: CliFrame): Promise<number> {
  const again = againOf(flags);
  const limits = limitsOf(flags.limit ?? []);
  const read = await sourceOf(file, flags);
  const models = await mapped(flags, frame);
  if ('code' in read) return ended({ state: 'refused', faults: [read], notes: [] }, null, flags, frame);
  const root = resolve(flags.root);
  const runs = new DiskRuns(runsOf(flags));
  const id = newId(read.texts.playbookPath);
  const stop = new AbortController();
  frame.onStop(() => stop.abort());
  const reach = await openReach(flags, directoryOf(flags));
  try {
    const ports = runPorts(await DiskFiles.open(root, [runsOf(flags)]), models, {
      ...{ reach, tools: await toolsOfLanes(flags, frame), signal: stop.signal, said: progress(process.stderr) },
    });
    await mkdir(runsOf(flags), { recursive: true, mode: 0o700 });
    await keepPlace(runsOf(flags), id, { root, playbook: read.texts.playbookPath, config: read.texts.configPath });
    toStderr(`run ${id}`);
    const begun = await beginRun(read.source, runs, ports, {
      ...{ id, seed: flags.seed, limits, parallel: flags.parallel ?? null, reuse: flags.reuse ?? null },
      again,
    });
    return await ended(begun, id, flags, frame);
  } finally {
    reach.cage.close();
    await models.close();
  }
}

export async function resumeCommand(id: string, flags: ResumeFlags, frame: CliFrame): Promise<number> {
  const limits = limitsOf(flags.limit ?? []);
  const runs = new DiskRuns(runsOf(flags));
  const place = await placeOf(runsOf(flags), id);
  const root = flags.root ?? place.root;
  if (root === null) throw failed('invalid', `Say the folder of the run ${id}.`, { remedy: 'Add --root DIR.' });
  const models = await mapped(flags, frame);
  const stop = new AbortController();
  frame.onStop(() => stop.abort());
  const reach = await openReach(flags, directoryOf(flags));
  try {
    const ports = runPorts(await DiskFiles.open(root, [runsOf(flags)]), models, {
      ...{ reach, tools: await toolsOfLanes(flags, frame), signal: stop.signal, said: progress(process.stderr) },
    });
    const begun = await resumeRun(id, runs, ports, {
      ...{ limits, parallel: flags.parallel ?? null },
      ...(await place.now()),
    });
    return await ended(begun, id, flags, frame);
  } finally {
    reach.cage.close();
    await models.close();
  }
}

async function ended(begun: Begun, id: string | null, flags: RunningFlags, frame: CliFrame): Promise<number> {
  const refused = begun.state === 'refused';
  const state = refused ? 'refused' : begun.end.state;
  const runs = new DiskRuns(runsOf(flags));
  const lines = refused || id === null ? null : await runs.read(id);
  const metrics = lines === null || id === null ? null : await writeMetrics(runs.folder(id), pastOf(lines));
  if (refused) for (const fault of begun.faults) toStderr(faultLine(fault));
  else {
    const { error, skipped } = begun.end;
    for (const one of skipped) toStderr(`left out: step "${one.step}", unit ${one.unit}: ${one.message} (${one.code})`);
    if (error !== null) toStderr(faultLine(error));
  }
  frame.say(id === null || refused ? state : `${state}: run ${id}`);
  if (!refused && (state === 'failed' || state === 'stopped' || state === 'cancelled'))
    toStderr(`go on with: accession playbook resume ${id ?? ''}`);
  if (flags.json !== undefined) {
    const about = refused ? { faults: begun.faults } : { error: begun.end.error, skipped: begun.end.skipped };
    await writeFile(flags.json, `${JSON.stringify({ state, run: refused ? null : id, ...about, metrics }, null, 2)}\n`);
  }
  if (state === 'cancelled') return INTERRUPTED;
  return state === 'completed' ? 0 : 1;
}

function againOf({ reuse, from, again }: RunFlags): Again {
  if (reuse === undefined && (from !== undefined || again !== undefined))
    throw new WrongUsage('--from and --again say what is asked anew of a run that is taken over: add --reuse RUN.');
  return { ...(from === undefined ? {} : { from }), ...(again === undefined ? {} : { steps: again }) };
}

function limitsOf(said: readonly string[]): Limits {
  const limits: Limits = {};
  for (const one of said) {
    const [key = '', value = ''] = one.split('=');
    const known = LIMIT_KEYS.find((name) => name === key);
    const number = Number(value);
    if (known === undefined || value.trim() === '' || !Number.isFinite(number) || number < 0)
      throw new WrongUsage(`--limit takes one of ${LIMIT_KEYS.join(', ')} with a number: model_calls=20.`);
    limits[known] = number;
  }
  return limits;
}

/** `2026-11-27T09-40-05_technical-manual_3fa2` */
function newId(path: string | null): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const name = (path ?? 'playbook').split('/').at(-1) ?? '';
  const slug = name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^\w]+/g, '-')
    .slice(0, 40);
  return `${time}_${slug}_${randomBytes(2).toString('hex')}`;
}
