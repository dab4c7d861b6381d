/**
 * What the engines of the toolbox cost in Node: from nothing to the first answer, a call after that, memory; and what a browser
 * fetches of each, as the build has packed it.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import type { Runtime } from '#core/toolbox/cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { toolNamed } from '#core/toolbox/tools.ts';

type Figures = Record<string, number>;

/** A tool of each engine whose start is told. */
const STARTS = [
  ['r', 'stat_t_test'],
  ['sql', 'frame_query'],
  ['spice', 'spice'],
  ['cas', 'cas'],
  ['draw', 'plot'],
  ['mine', 'mine_classify'],
] as const satisfies [Runtime, string][];

const ROUNDS = 5;
const CALLS = 50;

export async function benchToolbox(): Promise<Figures> {
  const figures: Figures = {};
  for (const [runtime, tool] of STARTS) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await startOf(tool));
    figures[`${runtime}.boot_ms`] = median(times);
  }
  return { ...figures, ...(await callsOfR()), ...downloads() };
}

/** The engine's start and one call, milliseconds. */
async function startOf(tool: string): Promise<number> {
  const cage = openNodeCage();
  try {
    const began = performance.now();
    await answered(new ToolboxRun({ cage }), tool, toolNamed(tool).example);
    return Math.round(performance.now() - began);
  } finally {
    cage.close();
  }
}

async function callsOfR(): Promise<Figures> {
  const cage = openNodeCage();
  try {
    const run = new ToolboxRun({ cage });
    await answered(run, 'stat_t_test', { x: [1, 2, 3], mu: 0 });
    const times: number[] = [];
    for (let call = 0; call < CALLS; call++) {
      const began = performance.now();
      // Another input each time: the same one is answered from what is kept.
      await answered(run, 'stat_t_test', { x: [1, 2, 3, call], y: [2, 3, 5] });
      times.push(performance.now() - began);
    }
    return { 'r.call_ms': Number(median(times).toFixed(1)), 'r.rss_mb': memoryOfR() };
  } finally {
    cage.close();
  }
}

async function answered(run: ToolboxRun, tool: string, input: unknown): Promise<void> {
  const answer = await run.call(toolNamed(tool), input);
  if (!answer.ok) throw new Error(answer.failure.message);
}

/** Of the child that has R, megabytes: Linux says whose parent we are. */
function memoryOfR(): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      if (Number(parent) !== process.pid || words.filter((word) => word !== '').at(-1) !== 'r') continue;
      const kilobytes = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return Math.round(Number(kilobytes) / 1024);
    } catch {
      // It ended while it was looked at.
    }
  }
  return Number.NaN;
}

/** Bytes on the wire of each engine; none where the app is not built. */
function downloads(): Figures {
  const assets = join(import.meta.dirname, '../../build/_app/immutable/assets');
  try {
    return Object.fromEntries(
      readdirSync(assets).flatMap((name) => {
        const [, runtime] = /^toolbox-(\w+)\..*\.bin$/.exec(name) ?? [];
        return runtime === undefined ? [] : [[`${runtime}.download_kb`, Math.round(statSync(join(assets, name)).size / 1024)]]; // prettier-ignore
      }),
    );
  } catch {
    process.stderr.write('The app is not built: nothing is said of downloads. Build it with npm run build.\n');
    return {};
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN; // prettier-ignore
