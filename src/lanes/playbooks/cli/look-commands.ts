/** `playbook list`, `show`, `diff` and `export`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import JSZip from 'jszip';
import type { CliFrame } from '#cli/lane-cli.ts';
import { failed } from '#core/errors.ts';
import { faultLine } from './fault-line.ts';
import { readPlaybook } from '#lanes/playbooks/core/read/playbook.ts';
import { diffRuns } from '#lanes/playbooks/core/run/diff.ts';
import { metricsOf } from '#lanes/playbooks/core/run/metrics.ts';
import { jsonLines } from '#lanes/playbooks/core/run/lines-log.ts';
import { numbersOfRun } from '#lanes/playbooks/core/run/numbers.ts';
import { pastOf } from '#lanes/playbooks/core/run/past.ts';
import { DiskRuns } from '#lanes/playbooks/node/disk-runs.ts';
import { runsOf } from './data-directory.ts';
import { placeOf } from '#lanes/playbooks/node/run-place.ts';

/** Untraced numbers that `show` names. */
const MOST_UNTRACED = 20;

interface LookFlags {
  data?: string;
  json?: string;
}

async function linesOf(runs: DiskRuns, id: string): Promise<unknown[]> {
  const lines = await runs.read(id);
  if (lines === null) throw failed('not_found', `There is no run "${id}".`, { remedy: 'accession playbook list' });
  return lines;
}

const asJson = async (path: string | undefined, value: unknown): Promise<void> => {
  if (path !== undefined) await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
};

export async function listCommand(flags: LookFlags, { say }: CliFrame): Promise<void> {
  const runs = new DiskRuns(runsOf(flags));
  const found = [];
  for (const id of await runs.list()) {
    const lines = await runs.read(id);
    if (lines === null || lines.length === 0) continue;
    const past = pastOf(lines);
    found.push({ id, at: past.head.at, name: past.head.name ?? '', metrics: metricsOf(past) });
  }
  for (const { id, name, metrics } of found.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)))
    say(`${id}  ${metrics.state}  ${metrics.units} units, ${metrics.model_calls} calls  ${name}`.trimEnd());
  if (found.length === 0) say('there are no runs');
}

export async function showCommand(id: string, flags: LookFlags, { say }: CliFrame): Promise<void> {
  const lines = await linesOf(new DiskRuns(runsOf(flags)), id);
  const past = pastOf(lines);
  const metrics = metricsOf(past);
  const steps = readPlaybook(past.head.playbook).playbook?.steps ?? [];
  const nameOf = (at: number): string => steps[at]?.name ?? `step ${at + 1}`;
  say(
    `${id}: ${metrics.state}, ${metrics.units} units, ${metrics.model_calls} calls of the model, ${metrics.tokens} tokens`,
  );
  if (metrics.numbers > 0)
    say(`  ${metrics.numbers} numbers in answers: ${metrics.traced} traced, ${metrics.untraced} untraced`);
  for (const one of metrics.steps) {
    const name = nameOf(one.step);
    const files = past.steps.get(one.step)?.closed?.files.map(({ path }) => path) ?? [];
    say(`  ${name}: ${one.done} of ${one.units} done, ${one.failed} failed, ${one.model_calls} calls`);
    for (const path of files) say(`    ${path}`);
  }
  for (const [step, { failures }] of past.steps)
    for (const [unit, fault] of failures) say(`  step ${step + 1}, unit ${unit}: ${faultLine(fault)}`);
  if (past.end?.error) say(faultLine(past.end.error));
  const numbers = numbersOfRun(lines);
  const untraced = numbers.filter(({ source }) => source === null);
  for (const { step, unit, text } of untraced.slice(0, MOST_UNTRACED))
    say(`  step "${nameOf(step)}", unit ${unit}: ${text} is untraced`);
  if (untraced.length > MOST_UNTRACED) say(`  and ${untraced.length - MOST_UNTRACED} more untraced: --json has all`);
  await asJson(flags.json, { id, ...metrics, error: past.end?.error ?? null, numbers_of: numbers });
}

export async function diffCommand(id: string, other: string, flags: LookFlags, { say }: CliFrame): Promise<void> {
  const runs = new DiskRuns(runsOf(flags));
  const diff = diffRuns(await linesOf(runs, id), await linesOf(runs, other));
  for (const { step, unit, what, differs } of diff.units)
    if (what !== 'same')
      say(`step "${step}", unit ${unit}: ${what}${differs.length > 0 ? ` (${differs.join(', ')})` : ''}`);
  const same = diff.units.filter(({ what }) => what === 'same').length;
  say(`${same} of ${diff.units.length} units are the same`);
  for (const [name, metrics] of [
    [id, diff.here],
    [other, diff.there],
  ] as const)
    say(`${name}: ${metrics.tokens} tokens, $${metrics.cost_usd.toFixed(4)}, ${metrics.seconds.toFixed(1)} s`);
  await asJson(flags.json, diff);
}

export async function exportCommand(id: string, flags: LookFlags & { out: string }, { say }: CliFrame): Promise<void> {
  const runs = new DiskRuns(runsOf(flags));
  const lines = await linesOf(runs, id);
  const past = pastOf(lines);
  const { root } = await placeOf(runsOf(flags), id);
  const zip = new JSZip();
  zip.file('playbook.yaml', past.head.playbook);
  zip.file('config.json', `${JSON.stringify({ ...past.head.config, ...past.head.set }, null, 2)}\n`);
  zip.file('journal.jsonl', jsonLines(lines));
  zip.file('metrics.json', `${JSON.stringify(metricsOf(past), null, 2)}\n`);
  zip.file('numbers.jsonl', jsonLines(numbersOfRun(lines)));
  const missing: string[] = [];
  for (const { closed } of past.steps.values())
    for (const { path } of closed?.files ?? []) {
      const bytes = root === null ? null : await readFile(join(root, path)).catch(() => null);
      if (bytes === null) missing.push(path);
      else zip.file(`files/${path}`, bytes);
    }
  await writeFile(flags.out, await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }));
  say(`the run is in ${flags.out}${missing.length > 0 ? `, without ${missing.join(', ')}: they are gone` : ''}`);
}
