/** What a step as a whole is run with: its numbers, limits, agent and model, expanded and checked (PB-30, PB-42, PB-44). */
import type { RetrieverWish, StepBounds } from '#core/agent/tools/offered-tool.ts';
import { PlaybookFault } from '../faults.ts';
import { LIMIT_KEYS, TOOL_LIMIT_KEYS, type LimitKey, type Step } from '../read/playbook.types.ts';
import { expandDeep, type Scope } from '../tokens/expand.ts';
import { fieldOf, isList, isMapping, type Mapping, type Value } from '../value.ts';

export type Limits = Partial<Record<LimitKey, number>>;

export interface StepValues {
  verbosity: number | null;
  requeries: number;
  parallel: number;
  limits: Limits;
  /** Of its tools. */
  tools: StepBounds;
  agent: {
    enabled: boolean;
    tools: string[];
    domains: string[];
    /** null: it says nothing. */
    iterations: number | null;
    retriever: RetrieverWish;
  };
}

const wrong = (key: string, what: string): PlaybookFault =>
  new PlaybookFault('playbook_value', key, `"${key}" ${what}.`);

function whole(raw: Mapping, key: string, scope: Scope, range: { least: number; most: number }): number | null {
  const value = expandDeep(fieldOf(raw, key) ?? null, scope);
  if (value === null) return null;
  return wholeNumber(key, value, range);
}

/** Throws PlaybookFault `playbook_value`. */
export function wholeNumber(key: string, value: Value, { least, most }: { least: number; most: number }): number {
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least && number <= most) return number;
  throw wrong(key, `is a whole number from ${least} to ${most}`);
}

/** Throws PlaybookFault `playbook_value`. */
export function limitsOf(value: Value, scope: Scope): Limits {
  if (!isMapping(value)) return {};
  const limits: Limits = {};
  for (const key of LIMIT_KEYS) {
    const limit = expandDeep(fieldOf(value, key) ?? null, scope);
    if (limit === null) continue;
    const number = typeof limit === 'string' && limit.trim() !== '' ? Number(limit) : limit;
    if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) throw wrong(key, 'is a number from 0 on');
    limits[key] = number;
  }
  return limits;
}

/** Throws PlaybookFault `playbook_value`. */
function toolLimits(value: Value, scope: Scope): StepBounds {
  if (!isMapping(value)) return {};
  const of = (key: (typeof TOOL_LIMIT_KEYS)[number], least: number): number | null => {
    const said = expandDeep(fieldOf(value, key) ?? null, scope);
    if (said === null) return null;
    const number = typeof said === 'string' && said.trim() !== '' ? Number(said) : said;
    if (typeof number === 'number' && Number.isFinite(number) && number >= least) return number;
    throw wrong(key, `is a number from ${least} on`);
  };
  const [seconds, memory, result] = [of('tool_seconds', 0.1), of('tool_memory_mb', 64), of('tool_result_kb', 1)];
  return {
    ...(seconds === null ? {} : { timeMs: seconds * 1000 }),
    ...(memory === null ? {} : { memoryMb: memory }),
    ...(result === null ? {} : { resultBytes: result * 1024 }),
  };
}

/** Each value by itself, so that every fault is found. */
export function stepValues(step: Step, scope: Scope, wrongly: (key: string, error: unknown) => void): StepValues {
  const { raw } = step;
  const tried = <T>(key: string, read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      wrongly(key, error);
      return otherwise;
    }
  };
  const agent = tried('agent', () => agentOf(fieldOf(raw, 'agent') ?? null, scope), NO_AGENT);
  const said = tried(
    'max_requery_iterations',
    () => whole(raw, 'max_requery_iterations', scope, { least: 0, most: 10 }),
    0,
  );
  return {
    agent,
    verbosity: tried('verbosity', () => whole(raw, 'verbosity', scope, { least: 0, most: 10 }), null),
    requeries: agent.iterations === null ? (said ?? 0) : Math.min(said ?? 10, agent.iterations),
    parallel: tried('parallel', () => whole(raw, 'parallel', scope, { least: 1, most: 8 }) ?? 1, 1),
    tools: tried('limits', () => toolLimits(fieldOf(raw, 'limits') ?? null, scope), {}),
    limits: tried('limits', () => limitsOf(fieldOf(raw, 'limits') ?? null, scope), {}),
  };
}

const NO_AGENT: StepValues['agent'] = {
  ...{ enabled: false, tools: [], domains: [], iterations: null, retriever: { expand: 0 } },
};
const PROFILES = ['vector', 'hybrid', 'bm25'] as const;

/** `retriever: { profile, k, rerank }` and `expand`. */
function retrieverOf(agent: Mapping): RetrieverWish {
  const said = fieldOf(agent, 'retriever') ?? {};
  const expand = wholeNumber('agent.expand', fieldOf(agent, 'expand') ?? 0, { least: 0, most: 8 });
  if (!isMapping(said) || Object.keys(said).some((key) => !['profile', 'k', 'rerank'].includes(key)))
    throw wrong('agent', 'has "retriever" as a mapping of profile, k, rerank');
  const { profile, k, rerank } = said;
  const known = PROFILES.find((one) => one === profile);
  if (profile !== undefined && known === undefined) throw wrong('agent', `has a profile of ${PROFILES.join(', ')}`);
  if (rerank !== undefined && typeof rerank !== 'boolean') throw wrong('agent', 'has "rerank" as true or false');
  return {
    expand,
    ...(known === undefined ? {} : { profile: known }),
    ...(k === undefined ? {} : { k: wholeNumber('agent.retriever.k', k, { least: 1, most: 100 }) }),
    ...(rerank === undefined ? {} : { rerank }),
  };
}

function agentOf(value: Value, scope: Scope): StepValues['agent'] {
  if (!isMapping(value)) return NO_AGENT;
  const agent = expandDeep(value, scope);
  if (!isMapping(agent)) return NO_AGENT;
  const texts = (key: string): string[] => {
    const list = fieldOf(agent, key) ?? [];
    if (isList(list) && list.every((one) => typeof one === 'string')) return list;
    throw wrong('agent', `has "${key}" as a list of texts`);
  };
  const enabled = fieldOf(agent, 'enabled') ?? false;
  if (typeof enabled !== 'boolean') throw wrong('agent', 'has "enabled" as true or false');
  const often = fieldOf(agent, 'iterations') ?? null;
  const iterations = often === null ? null : wholeNumber('agent.iterations', often, { least: 0, most: 100 });
  return { enabled, tools: texts('tools'), domains: texts('domains'), iterations, retriever: retrieverOf(agent) };
}
