/**
 * What a run of a playbook costs beside its model: units on the disk, answered at once, and a plain loop over the same units
 * that appends each answer to a file of JSON Lines and brings it to the disk.
 */
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_MODEL } from '#core/agent/llm/no-model.ts';
import type { CompletionResponse, LlmProvider } from '#core/agent/llm/provider.ts';
import { ok } from '#core/result.ts';
import { prepare } from '#lanes/playbooks/core/check/prepare.ts';
import { beginRun, resumeRun, type Begun } from '#lanes/playbooks/core/run/begin.ts';
import type { RunPorts } from '#lanes/playbooks/core/run/ports.ts';
import { DiskFiles } from '#lanes/playbooks/node/disk-files.ts';
import { DiskRuns } from '#lanes/playbooks/node/disk-runs.ts';
import { runPorts } from '#lanes/playbooks/cli/run-ports.ts';

const UNITS = 10_000;
/** The ratio is of so many pairs of a run and a loop in turn, so that a slow disk is slow for both. */
const PAIRS = 5;
const UNITS_OF_A_PAIR = 1_000;
/** Bytes of the playbook that is only checked. */
const LARGE = 256 * 1024;

const PLAYBOOK = `playbook: 1
steps:
  - name: tell
    model: small
    input: in.json
    multiple_parts: true
    instruction_user_prompt: 'Tell of {this::name}, which is {this::size} long.'
    output: out.jsonl
    output_format: { name: '{this::name}', said: '{output}' }
`;
const SOURCE = { playbook: PLAYBOOK, config: {}, set: {}, overwrite: true };

const ANSWER: CompletionResponse = {
  message: {
    role: 'assistant',
    content: 'It lives where the river is wide, and is seen seldom by those who look for it. '.repeat(4).trim(),
  },
  finish_reason: 'stop',
  usage: { tokens_in: 40, tokens_out: 80, milliseconds: 0 },
};
const PROVIDER: LlmProvider = { ...NO_MODEL, name: 'scripted', complete: () => Promise.resolve(ok(ANSWER)) };

type Figures = Record<string, number>;

export async function benchPlaybook(): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'accession-playbook-'));
  try {
    const whole = await world(join(folder, 'whole'), UNITS);
    return { ...(await oneRun(whole)), ...(await ratio(folder)), ...(await checked(whole)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface World {
  root: string;
  units: { name: string; size: number }[];
  runs: DiskRuns;
}

async function world(root: string, count: number): Promise<World> {
  const units = Array.from({ length: count }, (_, n) => ({ name: `bird ${n}`, size: n % 90 }));
  await mkdir(root);
  await writeFile(join(root, 'in.json'), JSON.stringify(units));
  return { root, units, runs: new DiskRuns(join(root, 'runs')) };
}

async function portsOf({ root }: Pick<World, 'root'>): Promise<RunPorts> {
  const models = { nameOf: () => 'scripted/small', open: () => Promise.resolve(PROVIDER), price: { in: 0, out: 0 } };
  return runPorts(await DiskFiles.open(root), models);
}

async function run(where: World): Promise<void> {
  const options = { id: 'bench', seed: 1, limits: {}, parallel: null, reuse: null };
  completed(await beginRun(SOURCE, where.runs, await portsOf(where), options));
}

async function oneRun(where: World): Promise<Figures> {
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50);
  const before = process.cpuUsage();
  await run(where);
  const { user, system } = process.cpuUsage(before);
  clearInterval(watch);
  await forgetItsEnd(where);
  const used = process.cpuUsage();
  const again = performance.now();
  completed(await resumeRun('bench', where.runs, await portsOf(where), { limits: {}, parallel: null }));
  const resumed = performance.now() - again;
  const spent = process.cpuUsage(used);
  return {
    'playbook.unit_ms': (user + system) / 1000 / where.units.length,
    'playbook.rss_mb': most / 1e6,
    'playbook.resume_ms': resumed,
    // On a machine that does other work, the clock says more of that.
    'playbook.resume_cpu_ms': (spent.user + spent.system) / 1000,
  };
}

/** The journal as a kill after the last answer leaves it. */
async function forgetItsEnd({ runs }: World): Promise<void> {
  const path = join(runs.folder('bench'), 'journal.jsonl');
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const open = lines.filter((line) => !line.startsWith('{"kind":"closed"') && !line.startsWith('{"kind":"ended"'));
  if (open.length !== lines.length - 2) throw new Error('The journal has other last lines.');
  await writeFile(path, open.map((line) => `${line}\n`).join(''));
}

function completed(begun: Begun): void {
  if (begun.state === 'refused') throw new Error(`It was refused: ${begun.faults[0]?.message ?? ''}`);
  if (begun.end.state !== 'completed') throw new Error(`It is ${begun.end.state}.`);
}

/** By the clock: both wait for the disk. */
async function ratio(folder: string): Promise<Figures> {
  let runs = 0;
  let loops = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const where = await world(join(folder, `pair ${pair}`), UNITS_OF_A_PAIR);
    const began = performance.now();
    await run(where);
    const between = performance.now();
    await plainLoop(where);
    runs += between - began;
    loops += performance.now() - between;
  }
  return { 'playbook.ratio': runs / loops };
}

async function plainLoop({ root, units }: World): Promise<void> {
  const handle = await open(join(root, 'plain.jsonl'), 'a');
  for (const { name, size } of units) {
    const messages = [{ role: 'user' as const, content: `Tell of ${name}, which is ${size} long.` }];
    const said = await PROVIDER.complete(messages, undefined, { maxTokens: 1000, temperature: 0, timeoutMs: 1000 });
    if (!said.ok) throw new Error(said.failure.message);
    await handle.appendFile(`${JSON.stringify({ name, said: said.value.message.content })}\n`);
    await handle.datasync();
  }
  await handle.close();
}

/** Reading and checking 256 KiB of 50 steps: the middle one of five. */
async function checked(where: World): Promise<Figures> {
  const head = 'playbook: 1\nconfig: { defaults: { topic: owls } }\nsteps:\n';
  const words = 'in many words '.repeat(360);
  const steps = Array.from(
    { length: 50 },
    (_, n) =>
      `  - name: s${n}\n    model: small\n    instruction_user_prompt: 'Name {config:topic} ${words}'\n    output: o${n}.md\n`,
  );
  const source = { ...SOURCE, playbook: head + steps.join('') };
  if (source.playbook.length > LARGE || source.playbook.length < LARGE * 0.95) throw new Error('It is not 256 KiB.');
  const ports = await portsOf(where);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    const { faults } = await prepare(source, ports);
    times.push(performance.now() - began);
    if (faults.length > 0) throw new Error(faults[0]?.message);
  }
  return { 'playbook.check_ms': times.sort((a, b) => a - b)[2] ?? NaN };
}
