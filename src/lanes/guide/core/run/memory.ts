/**
 * What is kept between runs: the gates (whether a run begins at all), what an end changes, and the runs under way. Pure;
 * whoever holds it writes it down in the same transaction as the journal.
 */
import { afterBreak, breakerState, CLOSED, withinRest, type Breaker, type BreakerState } from '#core/breaker.ts';
import { COOLDOWN_MS } from './order.ts';
import type { Run, RunEnd } from './run-machine.ts';
import { GUIDE_TOOLS, type GuideToolName, type How, type RunSettings, type SkipReason } from './run.types.ts';

export const ENOUGH_IDLE_RUNS = 3;
export const SUSPENDED_MS = 3_600_000;

/** Of one key: a channel, or the whole. Instants are milliseconds since the epoch. */
export interface KeyMemory {
  ended_at: number | null;
  /** Runs in a row that changed nothing. */
  idle_runs: number;
  suspended_until: number | null;
  /** At the end of the last run that ended by itself. */
  ratio: number | null;
  tools: Partial<Record<GuideToolName, { ended_at: number; changed: boolean }>>;
}

export interface Counters {
  ai_metadata_resolution_attempt_total: number;
  ai_metadata_resolution_success_total: number;
  ai_metadata_resolution_abort_total: number;
  /** By tool. */
  ai_metadata_tool_selected: Partial<Record<GuideToolName, number>>;
}

/** `schema_version` 1: first form. */
export interface RunsMemory {
  schema_version: 1;
  keys: Record<string, KeyMemory>;
  /** In the order in which they began. */
  active: Run[];
  circuit: Breaker & { rest_ms: number | null };
  /** The run whose probe decides; null: none does. */
  probing: string | null;
  counters: Counters;
}

export const NEW_MEMORY: RunsMemory = {
  schema_version: 1,
  keys: {},
  active: [],
  circuit: { ...CLOSED, rest_ms: null },
  probing: null,
  counters: {
    ai_metadata_resolution_attempt_total: 0,
    ai_metadata_resolution_success_total: 0,
    ai_metadata_resolution_abort_total: 0,
    ai_metadata_tool_selected: {},
  },
};

const NEW_KEY: KeyMemory = { ended_at: null, idle_runs: 0, suspended_until: null, ratio: null, tools: {} };

/** No channel's key is that of the whole, whatever its id. */
const keyOf = (channel: string | null): string => (channel === null ? 'whole' : `channel:${channel}`);
const isWhole = (key: string): boolean => key === keyOf(null);

export function keyMemory(memory: RunsMemory, channel: string | null): KeyMemory {
  return memory.keys[keyOf(channel)] ?? NEW_KEY;
}

function withKey(memory: RunsMemory, channel: string | null, changes: Partial<KeyMemory>): RunsMemory {
  const key = { ...keyMemory(memory, channel), ...changes };
  return { ...memory, keys: { ...memory.keys, [keyOf(channel)]: key } };
}

/** A clock that was set back locks nothing for longer than one cooldown, one rest or one suspension. */
export function withinClock(memory: RunsMemory, now: number): RunsMemory {
  const notAfter = <At extends number | null>(at: At, latest: number): At | number =>
    at !== null && at > latest ? latest : at;
  const keys = Object.entries(memory.keys).map(([key, kept]): [string, KeyMemory] => {
    const tools = Object.entries(kept.tools).map(([tool, use]) => [
      tool,
      { ...use, ended_at: notAfter(use.ended_at, now) },
    ]);
    return [
      key,
      {
        ...kept,
        ended_at: notAfter(kept.ended_at, now),
        suspended_until: notAfter(kept.suspended_until, now + SUSPENDED_MS),
        tools: Object.fromEntries(tools),
      },
    ];
  });
  return { ...memory, keys: Object.fromEntries(keys), circuit: withinRest(memory.circuit, now) };
}

export interface Trigger {
  how: How;
  channel: string | null;
  /** What set it off was caused by a run. */
  by_run: boolean;
}

/** Why no run begins, in the order in which it is said; null: one does. */
export function skipReason(
  memory: RunsMemory,
  { channel, by_run }: Trigger,
  settings: RunSettings,
  now: number,
): SkipReason | null {
  if (!settings.metadata_self_resolution_enabled || !settings.bounded_agent_enabled) return 'disabled';
  if (by_run) return 'recursion';
  if (memory.active.some((run) => run.channel === channel || run.channel === null || channel === null)) return 'active';
  const { suspended_until, ended_at } = keyMemory(memory, channel);
  if (suspended_until !== null && now < suspended_until) return 'suspended';
  const cooldown = settings.metadata_self_resolution_cooldown_sec * 1000;
  return ended_at !== null && now - ended_at < cooldown ? 'cooldown' : null;
}

/** A run begins: the memory with it, and the run. */
export function begin(
  memory: RunsMemory,
  { how, channel }: Trigger,
  { id, owner }: { id: string; owner: string },
  now: number,
): { memory: RunsMemory; run: Run } {
  const run: Run = {
    ...{ id, channel, how, owner, began_at: now, steps: [], first: null, view: null, lines: 1 },
    ended: coolingUses(memory, channel, now),
    behind: GUIDE_TOOLS.filter((tool) => keyMemory(memory, channel).tools[tool]?.changed === false),
    waits: { for: 'look', chosen: null },
  };
  const { counters } = memory;
  const attempts = counters.ai_metadata_resolution_attempt_total + 1;
  return {
    run,
    memory: {
      ...memory,
      active: [...memory.active, run],
      counters: { ...counters, ai_metadata_resolution_attempt_total: attempts },
    },
  };
}

/** Ends of uses that still cool: by this key, by the whole and for the whole by every channel. */
function coolingUses(memory: RunsMemory, channel: string | null, now: number): Run['ended'] {
  const ended: Partial<Record<GuideToolName, number>> = {};
  for (const [key, { tools }] of Object.entries(memory.keys)) {
    if (channel !== null && key !== keyOf(channel) && !isWhole(key)) continue;
    for (const tool of GUIDE_TOOLS) {
      const at = tools[tool]?.ended_at;
      if (at !== undefined && now - at < COOLDOWN_MS[tool]) ended[tool] = Math.max(at, ended[tool] ?? at);
    }
  }
  return ended;
}

/** The run as it is now, in place of what it was. */
export function withRun(memory: RunsMemory, run: Run): RunsMemory {
  return { ...memory, active: memory.active.map((other) => (other.id === run.id ? run : other)) };
}

export function selected(memory: RunsMemory, tool: GuideToolName): RunsMemory {
  const { counters } = memory;
  const counts = counters.ai_metadata_tool_selected;
  return {
    ...memory,
    counters: { ...counters, ai_metadata_tool_selected: { ...counts, [tool]: (counts[tool] ?? 0) + 1 } },
  };
}

/** A use of a tool has ended: from now on it cools. `changed` null: it was cut, and nothing is known of it. */
export function toolUsed(
  memory: RunsMemory,
  channel: string | null,
  tool: GuideToolName,
  changed: boolean | null,
  now: number,
): RunsMemory {
  const { tools } = keyMemory(memory, channel);
  const use = { ended_at: now, changed: changed ?? tools[tool]?.changed ?? true };
  return withKey(memory, channel, { tools: { ...tools, [tool]: use } });
}

/** The run is over. `suspended`: its key rests from now on. */
export function finish(
  memory: RunsMemory,
  run: Run,
  end: RunEnd,
  now: number,
): { memory: RunsMemory; suspended: boolean } {
  const kept = keyMemory(memory, run.channel);
  const changed =
    end.outcome === 'success' ||
    end.ratio_after < end.ratio_before ||
    (kept.ratio !== null && end.ratio_after < kept.ratio);
  const idle = end.by_itself ? (changed ? 0 : kept.idle_runs + 1) : kept.idle_runs;
  const suspended = idle >= ENOUGH_IDLE_RUNS;
  const { counters } = memory;
  const one = (outcome: RunEnd['outcome']): number => (end.outcome === outcome ? 1 : 0);
  const left: RunsMemory = {
    ...memory,
    active: memory.active.filter(({ id }) => id !== run.id),
    probing: memory.probing === run.id ? null : memory.probing,
    counters: {
      ...counters,
      ai_metadata_resolution_success_total: counters.ai_metadata_resolution_success_total + one('success'),
      ai_metadata_resolution_abort_total: counters.ai_metadata_resolution_abort_total + one('aborted'),
    },
  };
  return {
    suspended,
    memory: withKey(left, run.channel, {
      ended_at: now,
      idle_runs: suspended ? 0 : idle,
      suspended_until: suspended ? now + SUSPENDED_MS : kept.suspended_until,
      ratio: end.by_itself ? end.ratio_after : kept.ratio,
    }),
  };
}

/** A person lets a key run again. */
export function lift(memory: RunsMemory, channel: string | null): RunsMemory {
  return withKey(memory, channel, { suspended_until: null, idle_runs: 0 });
}

/** A guide came in: no tool stands behind the others any more. Each active run has a line of its journal for it. */
export function guideCame(memory: RunsMemory): RunsMemory {
  const fresh = ({ tools, ...kept }: KeyMemory): KeyMemory => ({
    ...kept,
    tools: Object.fromEntries(Object.entries(tools).map(([tool, use]) => [tool, { ...use, changed: true }])),
  });
  return {
    ...memory,
    keys: Object.fromEntries(Object.entries(memory.keys).map(([key, kept]) => [key, fresh(kept)])),
    active: memory.active.map((run) => ({ ...run, behind: [], lines: run.lines + 1 })),
  };
}

/** The circuit as it is for this run: one alone may probe. */
export function circuitFor({ circuit, probing }: RunsMemory, run: string, now: number): BreakerState {
  const state = breakerState(circuit, now);
  return state === 'half-open' && probing !== null && probing !== run ? 'open' : state;
}

/** A look-up ended, or the probe of a half open circuit. What ends while the circuit is open was begun before. */
export function lookedUp(memory: RunsMemory, ok: boolean, now: number): RunsMemory {
  if (breakerState(memory.circuit, now) === 'open') return memory;
  const circuit = ok ? NEW_MEMORY.circuit : afterBreak(memory.circuit, now);
  return { ...memory, circuit, probing: null };
}
