/**
 * Random worlds for guarded runs: channels with faults, tools that mend, fail or throw, models that say anything, people,
 * imports, clocks that jump, and a process that dies at any change of what is stored. What must never be is counted.
 */
import { mulberry32 } from '#core/mulberry32.ts';
import { replayRun } from '#lanes/guide/core/run/replay.ts';
import { FAULT_TYPES } from '#lanes/guide/core/faults/fault.ts';
import { GUIDE_TOOLS, ratioOf, type GuideToolName, type RunRecord } from '#lanes/guide/core/run/run.types.ts';
import { RunWorld, type Counts, type WorldSpec } from '../../scripts/eval/guide/run-world.ts';
import { happens, type WorldEvent } from '../../scripts/eval/guide/runs.ts';
import { settled } from '../../scripts/eval/guide/timeline.ts';

export const FIGURES = [
  'repeated_tools',
  'over_three',
  'unbalanced_logs',
  'stuck',
  'wrong_escalations',
  'overwritten',
  'other_replays',
] as const;
export type Found = Record<(typeof FIGURES)[number], number>;

type Action = WorldEvent | { do: 'jump'; by: number; at: number } | { do: 'cadence'; at: number } | LookUps;
interface LookUps {
  do: 'look-ups';
  ok: boolean;
  at: number;
}

export interface Script {
  spec: WorldSpec;
  /** `at`: seconds after the action before. */
  actions: Action[];
}

const CHANNELS = ['c1', 'c2', 'c3'];
const TEXTS = ['Why is the guide empty?', 'Where is my remote?', 'metadata', 'epg!', 'misguided'];
const REPLIES = [
  ...GUIDE_TOOLS.map((action) => JSON.stringify({ action, reason: 'as good as any', confidence: 0.8 })),
  ...GUIDE_TOOLS.map((action) => `<think>hm</think>\n${JSON.stringify({ action, reason: 'x', confidence: 0.3 })}`),
  JSON.stringify({ action: 'STOP', reason: 'enough', confidence: 0.9 }),
  JSON.stringify({ action: 'STOP', reason: 'enough', confidence: 0.1 }),
  JSON.stringify({ action: 'restart_channel', reason: 'x', confidence: 1 }),
  ...['', 'null', '{', 'I would restart it.', '[]', '{"action":"STOP"}'],
];

/** The script of a seed. */
export function scriptOf(seed: number): Script {
  const random = mulberry32(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item => items[below(items.length)] as Item;
  const chance = (share: number): boolean => random() < share;
  const counts = (most: number): Counts =>
    Object.fromEntries(FAULT_TYPES.flatMap((type) => (chance(0.4) ? [[type, below(most)]] : [])));
  const some = <Value>(share: number, value: () => Value): Partial<Record<GuideToolName, Value>> =>
    Object.fromEntries(GUIDE_TOOLS.flatMap((tool) => (chance(share) ? [[tool, value()]] : [])));
  const channel = (): string | null => (chance(0.4) ? null : pick(CHANNELS));

  const spec: WorldSpec = {
    channels: Object.fromEntries(
      CHANNELS.slice(0, 1 + below(3)).map((id) => [id, { programmes: 5 + below(30), faults: counts(6) }]),
    ),
    repairs: some(0.7, () => counts(5)),
    takes: some(0.3, () => pick([0, 2, 10, 45, 400])),
    fails: some(0.2, () => below(4)),
    throws: GUIDE_TOOLS.filter(() => chance(0.08)),
    broken: chance(0.02),
  };
  const action = (): Action => {
    const at = pick([0, 0.5, 1, 5, 29.9, 30, 61, 299.999, 300, 301, 900, 3600]);
    const model = chance(0.6) ? Array.from({ length: below(4) }, () => pick(REPLIES)) : [];
    const kind = below(20);
    if (kind < 8) return { do: 'demand', at, model, channel: channel() };
    if (kind < 10) return { do: 'ask', at, model, channel: channel(), text: pick(TEXTS) };
    if (kind < 12) {
      const origin = chance(0.2) ? 'run' : undefined;
      const lookups: [number, number] = [below(5), 5];
      return {
        ...{ do: 'import', at, model, channel: pick(CHANNELS), programmes: 5 + below(30) },
        ...{ faults: counts(6), lookups, origin },
      };
    }
    if (kind === 12)
      return { do: 'set', at, containment: chance(0.4), probe: pick(['fails', 'ok']), pool: [below(11), 10] };
    if (kind === 13)
      return { do: 'set', at, containment: false, pool: null, circuit: pick(['OPEN', 'CLOSED']), for: 60 };
    if (kind === 14) return { do: 'restart', at, n: below(12) };
    if (kind === 15) return { do: 'undo', at, run: below(6) };
    if (kind === 16) return chance(0.5) ? { do: 'crash', at } : { do: 'lift', at, channel: channel() };
    if (kind === 17) return { do: 'jump', at, by: pick([-86_400, -3600, -40, 40, 3600]) };
    return kind === 18 ? { do: 'cadence', at } : { do: 'look-ups', at, ok: chance(0.3) };
  };
  return { spec, actions: Array.from({ length: 4 + below(9) }, action) };
}

/** Plays a script; the process dies at the changes of the store (counted from 1) that `dies` names. */
export async function playScript(
  { spec, actions }: Script,
  dies: (change: number, written: boolean) => boolean = () => false,
): Promise<{ found: Found; changes: number; runs: number }> {
  const world = new RunWorld(spec, { metadata_self_resolution_enabled: true });
  const found: Found = {
    ...{ repeated_tools: 0, over_three: 0, unbalanced_logs: 0, stuck: 0, wrong_escalations: 0, overwritten: 0 },
    other_replays: 0,
  };
  let changes = 0;
  world.dies = (written) => {
    if (!written) changes++;
    return dies(changes, written);
  };
  world.said = ({ records, escalations }) => {
    for (const record of records) {
      const told = escalations.filter(({ run }) => run === record.id).length;
      if (escalated(record, world) !== told) found.wrong_escalations++;
    }
  };

  for (const action of actions) {
    await world.time.runUntil(world.time.now() + Math.round(action.at * 1000), true);
    if (action.do === 'jump') world.time.jump(Math.max(0, world.time.now() + action.by * 1000));
    else if (action.do === 'cadence') void world.runs.cadence();
    else if (action.do === 'look-ups') for (let n = 0; n < 3; n++) void world.runs.lookedUp(action.ok);
    else void happens(world, action);
    await settled();
  }
  await world.time.runUntil(Number.POSITIVE_INFINITY, true);

  const { log, records, memory } = world.store;
  const count = (text: string): number => log.filter((line) => line.text.startsWith(text)).length;
  const done = records.filter((record) => record.outcome !== 'skipped');
  const attempts = memory.counters.ai_metadata_resolution_attempt_total;
  const lines = [count('AI metadata remediation started'), count('AI metadata remediation completed'), done.length];
  if (lines.some((lineCount) => lineCount !== attempts)) found.unbalanced_logs++;
  found.stuck += memory.active.length + (await lockedKeys(world));
  for (const tools of world.used.values()) {
    if (new Set(tools).size < tools.length) found.repeated_tools++;
    if (tools.length > 3) found.over_three++;
  }
  for (const record of done) if (!(await isReplayed(world, record))) found.other_replays++;
  found.overwritten = world.overwritten;
  return { found, changes, runs: done.length };
}

/** How often a person has to be told of it, by the world as it is when the run ends. */
function escalated(record: RunRecord, world: RunWorld): number {
  if (record.outcome === 'skipped') return 0;
  const wanted = record.outcome === 'aborted' || ratioOf(world.view(record.channel)) > 0.4;
  return wanted === record.escalated ? Number(wanted) : -1;
}

/**
 * How many keys no person gets to run any more. Who is refused asks again an hour and a bit later, and is not refused then,
 * whatever the clock said before: a cooldown, rest or suspension counts from the first look at the clock at the latest.
 */
async function lockedKeys(world: RunWorld): Promise<number> {
  world.dies = () => false;
  world.said = () => undefined;
  let locked = 0;
  for (const channel of ['c1', 'c2', 'c3', null]) {
    let begun = false;
    for (let ask = 0; ask < 2 && !begun; ask++) {
      world.time.jump(world.time.now() + 3_601_000);
      const triggered = world.runs.trigger({ how: 'demand', channel, by_run: false });
      await settled();
      await world.time.runUntil(Number.POSITIVE_INFINITY, true);
      ({ begun } = await triggered);
    }
    if (!begun) locked++;
  }
  return locked;
}

async function isReplayed(world: RunWorld, record: Exclude<RunRecord, { outcome: 'skipped' }>): Promise<boolean> {
  const { run, end } = replayRun(await world.store.journal(record.id));
  const same = JSON.stringify(run.steps) === JSON.stringify(record.steps);
  return (
    same && end?.outcome === record.outcome && end.reason === record.reason && end.ratio_after === record.ratio_after
  );
}
