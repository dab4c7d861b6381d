/**
 * `npm run eval -- toolbox [--rounds N] [--browser] [--json FILE]`: how right the toolbox is, on cases of our own (cases.ts).
 *
 *   tool.right          cases answered as they must be; tool.refused: of those that must be refused
 *   stat.max_rel_error  R against the same by another way (other-ways.ts) over N random inputs of each of four tests (250)
 *   nist.worst          relative, of the F of NIST's SmLs sets (made by their rule), offsets 0, 1e6, 1e12
 *   same_bytes          1 where every figure is the same bytes from two engines
 *   drift               answers that come out otherwise when they are computed again
 *   cage.escapes        of cage.tried attempts out of the cage in Node (escapes.ts)
 *   cage.browser_escapes  of cage.browser_tried in Chromium, with --browser: by tests/e2e/toolbox-cage.spec.ts over a build that is there
 *   ends.wrong          of ends.tried loops, memory and answers without end: not stopped as they must be, or the next call failed
 *   ends.late_ms        by which the last of them ended after its limit of time
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openNodeCage } from '../../../src/adapters/toolbox/node/node-cage.ts';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { ToolboxRun } from '../../../src/core/toolbox/run.ts';
import { TOOLS, toolNamed } from '../../../src/core/toolbox/tools.ts';
import { endsOf, wrongEnds } from '../../../tests/fixtures/toolbox/endless.ts';
import { CASES, type ToolCase } from './cases.ts';
import { escapesInNode } from './escapes.ts';
import { anova, independence, pearson, welch } from './other-ways.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== 'toolbox'),
  options: { json: { type: 'string' }, rounds: { type: 'string' }, browser: { type: 'boolean' } },
});
const rounds = Number(values.rounds ?? 250);
const cage = openNodeCage();
const run = new ToolboxRun({ cage });

async function outputOf(tool: string, input: unknown): Promise<Record<string, unknown>> {
  const answered = await run.call(toolNamed(tool), input);
  if (!answered.ok) throw new Error(answered.failure.message);
  return answered.answer.whole;
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);

function near(want: unknown, got: unknown, tolerance = 1e-9): boolean {
  if (Array.isArray(want))
    return Array.isArray(got) && got.length === want.length && want.every((one, index) => near(one, got[index]));
  if (typeof want !== 'number') return want === got;
  return typeof got === 'number' && Math.abs(got - want) <= tolerance * Math.max(Math.abs(want), 1e-3);
}

async function isRight({ tool, input, expect, refused }: ToolCase): Promise<boolean> {
  const answered = await run.call(toolNamed(tool), input);
  if (answered.ok)
    return (
      expect !== undefined &&
      Object.entries(expect).every(([path, want]) => near(want, at(answered.answer.whole, path)))
    );
  const { code, subject } = answered.failure;
  return refused !== undefined && code === refused.code && (refused.field === undefined || subject === refused.field);
}

async function casesRight(): Promise<{ right: number; refused: number }> {
  const results: { row: ToolCase; right: boolean }[] = [];
  for (const row of CASES) {
    const right = await isRight(row);
    if (!right) process.stderr.write(`wrong: ${JSON.stringify(row).slice(0, 200)}\n`);
    results.push({ row, right });
  }
  const share = (of: typeof results): number => of.filter(({ right }) => right).length / of.length;
  return { right: share(results), refused: share(results.filter(({ row }) => row.refused !== undefined)) };
}

/** Numbers of p are looked at as far as quadrature goes: below, they are tails of tails. */
const LEAST_P = 1e-6;

async function statisticsApart(): Promise<number> {
  const random = mulberry32(25);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const many = (least: number): number => least + Math.floor(random() * 20);
  const sample = (count: number, middle = 0): number[] => Array.from({ length: count }, () => middle + normal());
  let worst = 0;
  const look = async (tool: string, input: unknown, other: Record<string, number>): Promise<void> => {
    const got = await outputOf(tool, input);
    for (const [field, want] of Object.entries(other)) {
      if (field === 'p_value' && want < LEAST_P) continue;
      worst = Math.max(worst, Math.abs((Number(got[field]) - want) / want));
    }
  };
  for (let round = 0; round < rounds; round++) {
    const [x, y] = [sample(many(3)), sample(many(3), random())];
    await look('stat_t_test', { x, y }, welch(x, y));
    const groups = [sample(many(3)), sample(many(3), random()), sample(many(3))];
    await look('stat_anova', { groups: { a: groups[0], b: groups[1], c: groups[2] } }, anova(groups));
    const u = sample(many(4));
    const w = u.map((one) => one * random() + normal());
    await look('stat_correlation', { x: u, y: w }, pearson(u, w));
    const table = Array.from({ length: 3 }, () => Array.from({ length: 3 }, () => 5 + Math.floor(random() * 40)));
    await look('stat_chi_square', { table }, independence(table));
  }
  return worst;
}

async function nistWorst(): Promise<number> {
  let worst = 0;
  for (const offset of [0, 1e6, 1e12]) {
    const tenths = [4, 3, 5, 3, 5, 3, 5, 3, 5];
    const one = (tenth: number): number[] =>
      Array.from(
        { length: 21 },
        (_, index) => offset + 1 + (tenth + (index === 0 ? 0 : index % 2 === 1 ? -1 : 1)) / 10,
      );
    const groups = Object.fromEntries(tenths.map((tenth, index) => [`g${index}`, one(tenth)]));
    const { statistic } = await outputOf('stat_anova', { groups });
    worst = Math.max(worst, Math.abs(Number(statistic) / 21 - 1));
  }
  return worst;
}

/** Figures of one engine and of another that is started for it. */
async function sameBytes(): Promise<number> {
  const drawn = async (): Promise<string> => {
    const own = openNodeCage();
    const fresh = new ToolboxRun({ cage: own });
    const said: string[] = [];
    for (const tool of TOOLS.filter(({ runtime }) => runtime === 'draw')) {
      const answered = await fresh.call(tool, tool.example);
      said.push(answered.ok ? JSON.stringify(answered.answer.whole) : answered.failure.message);
    }
    own.close();
    return said.join('\n');
  };
  return (await drawn()) === (await drawn()) ? 1 : 0;
}

async function escapes(): Promise<Record<string, number>> {
  const { tried, escapes: out, works } = await escapesInNode();
  if (!works) throw new Error('The cage does not work any more after the attempts.');
  return { 'cage.tried': tried, 'cage.escapes': out };
}

async function ends(): Promise<Record<string, number>> {
  const ended = await endsOf(cage);
  const wrong = wrongEnds(ended);
  for (const one of wrong) process.stderr.write(`did not end as it must: ${one}\n`);
  const late = Math.max(...ended.map(({ lateMs }) => lateMs));
  return { 'ends.tried': ended.length, 'ends.wrong': wrong.length, 'ends.late_ms': late };
}

/** By the end-to-end test of the cage, which has the attempts. */
function escapesInBrowser(): Record<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'accession-eval-'));
  try {
    const out = join(folder, 'figures.json');
    const args = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'tests/playwright.config.ts', 'toolbox-cage', '-g', 'TOOLBOX-27']; // prettier-ignore
    const ran = spawnSync(process.execPath, args, { env: { ...process.env, ACCESSION_ESCAPES_OUT: out }, stdio: ['ignore', 2, 2] }); // prettier-ignore
    if (!existsSync(out)) throw new Error(`The cage was not tried in a browser (${ran.status}): is there a build?`);
    const { tried, escapes: got } = JSON.parse(readFileSync(out, 'utf8')) as Record<'tried' | 'escapes', number>;
    return { 'cage.browser_tried': tried, 'cage.browser_escapes': got };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  const { right, refused } = await casesRight();
  const drift = (await run.verify()).length;
  const figures = {
    'tool.right': right,
    'tool.refused': refused,
    drift,
    'nist.worst': await nistWorst(),
    'stat.max_rel_error': await statisticsApart(),
    same_bytes: await sameBytes(),
    ...(await escapes()),
    ...(await ends()),
    ...(values.browser === true ? escapesInBrowser() : {}),
  };
  for (const [name, value] of Object.entries(figures))
    process.stdout.write(`${name.padEnd(24)}${Number(value.toPrecision(4))}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  cage.close();
}
