/** What a step as a whole is run with: its numbers, limits, agent and model, expanded and checked (PB-30, PB-42, PB-44). */
import { PlaybookFault } from '../faults.ts';
import { LIMIT_KEYS, type LimitKey, type Step } from '../read/playbook.types.ts';
import { expandDeep, type Scope } from '../tokens/expand.ts';
import { fieldOf, isList, isMapping, type Mapping, type Value } from '../value.ts';

export type Limits = Partial<Record<LimitKey, number>>;

export interface StepValues {
  verbosity: number | null;
  requeries: number;
  parallel: number;
  limits: Limits;
  agent: { enabled: boolean; tools: string[]; domains: string[] };
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
  return {
    verbosity: tried('verbosity', () => whole(raw, 'verbosity', scope, { least: 0, most: 10 }), null),
    requeries: tried(
      'max_requery_iterations',
      () => whole(raw, 'max_requery_iterations', scope, { least: 0, most: 10 }) ?? 0,
      0,
    ),
    parallel: tried('parallel', () => whole(raw, 'parallel', scope, { least: 1, most: 8 }) ?? 1, 1),
    limits: tried('limits', () => limitsOf(fieldOf(raw, 'limits') ?? null, scope), {}),
    agent: tried('agent', () => agentOf(fieldOf(raw, 'agent') ?? null, scope), {
      enabled: false,
      tools: [],
      domains: [],
    }),
  };
}

function agentOf(value: Value, scope: Scope): StepValues['agent'] {
  if (!isMapping(value)) return { enabled: false, tools: [], domains: [] };
  const agent = expandDeep(value, scope);
  if (!isMapping(agent)) return { enabled: false, tools: [], domains: [] };
  const texts = (key: string): string[] => {
    const list = fieldOf(agent, key) ?? [];
    if (isList(list) && list.every((one) => typeof one === 'string')) return list;
    throw wrong('agent', `has "${key}" as a list of texts`);
  };
  const enabled = fieldOf(agent, 'enabled') ?? false;
  if (typeof enabled !== 'boolean') throw wrong('agent', 'has "enabled" as true or false');
  for (const key of ['iterations', 'expand']) wholeNumber('agent', fieldOf(agent, key) ?? 0, { least: 0, most: 100 });
  return { enabled, tools: texts('tools'), domains: texts('domains') };
}
