/** `mine_rules`: what stands in baskets together (Apriori). */
import * as v from 'valibot';
import { failed } from '../errors.ts';
import { number } from './fields.ts';
import { toolboxTool } from './tool.ts';

const item = v.pipe(v.string('must be texts'), v.nonEmpty('is empty'), v.maxLength(200));
const share = v.pipe(number, v.gtValue(0, 'must be above 0'), v.maxValue(1, 'must be 1 at most'));
const InputSchema = v.strictObject({
  baskets: v.pipe(v.array(v.array(item)), v.minLength(1, 'is empty'), v.maxLength(100_000, 'has more than 100,000')),
  min_support: share,
  min_confidence: share,
});
type Input = v.InferOutput<typeof InputSchema>;

/** Sets of items that are held, or looked for next, at most. */
const MOST_SETS = 200_000;
/** How often it is looked whether a set stands in a basket, at most: this runs in the page itself, which no clock ends. */
const MOST_LOOKS = 100_000_000;
/** What rounding may take from a share that is met exactly. */
const ROUNDING = 1e-12;

export interface Rule {
  if: string[];
  then: string[];
  support: number;
  confidence: number;
  lift: number;
}

export const mineRules = toolboxTool<Input>({
  name: 'mine_rules',
  description:
    'Association rules of baskets (lists of texts): min_support, min_confidence, one item in then. Answers rules with support, confidence, lift.',
  runtime: 'none',
  input: InputSchema,
  output: v.looseObject({ rules: v.array(v.looseObject({ if: v.array(v.string()), then: v.array(v.string()) })) }),
  example: { baskets: [['bread', 'milk'], ['bread', 'beer'], ['bread', 'milk', 'beer']], min_support: 0.5, min_confidence: 0.6 }, // prettier-ignore
  compute: (input) => ({ rules: rulesOf(input), baskets: input.baskets.length }),
});

function rulesOf({ baskets, min_support, min_confidence }: Input): Rule[] {
  const sets = baskets.map((basket) => new Set(basket));
  const counts = frequent(sets, min_support * sets.length - ROUNDING);
  const countOf = (items: readonly string[]): number => counts.get(keyOf(items))?.count ?? 0;
  const rules: Rule[] = [];
  for (const { items, count } of counts.values()) {
    if (items.length < 2) continue;
    for (const then of items) {
      const rest = items.filter((one) => one !== then);
      const confidence = count / countOf(rest);
      if (confidence < min_confidence - ROUNDING) continue;
      const lift = confidence / (countOf([then]) / sets.length);
      rules.push({ if: rest, then: [then], support: count / sets.length, confidence, lift });
    }
  }
  return rules.sort(
    (a, b) =>
      b.support - a.support ||
      b.confidence - a.confidence ||
      compare(a.if.join('\0'), b.if.join('\0')) ||
      compare(a.then.join('\0'), b.then.join('\0')),
  );
}

interface Counted {
  items: string[];
  count: number;
}

/** Sets that stand in enough baskets: those of n items are made of those of n - 1. */
function frequent(baskets: readonly ReadonlySet<string>[], least: number): Map<string, Counted> {
  const found = new Map<string, Counted>();
  const take = (items: string[], count: number): boolean => {
    if (count < least || count === 0) return false;
    found.set(keyOf(items), { items, count });
    if (found.size > MOST_SETS) throw tooMuch(`more than ${MOST_SETS} sets stand in enough baskets`);
    return true;
  };
  let looks = 0;
  let kept = single(baskets).filter(({ items, count }) => take(items, count)).map(({ items }) => items); // prettier-ignore
  while (kept.length > 0) {
    const level = joined(kept, found);
    looks += level.length * baskets.length;
    if (looks > MOST_LOOKS) throw tooMuch('there are too many sets to look for in so many baskets');
    kept = level.filter((items) => take(items, countIn(baskets, items)));
  }
  return found;
}

/** Each item with its count, in the order of their names. */
function single(baskets: readonly ReadonlySet<string>[]): Counted[] {
  const counts = new Map<string, number>();
  for (const basket of baskets) for (const one of basket) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => compare(a, b)).map(([one, count]) => ({ items: [one], count }));
}

const countIn = (baskets: readonly ReadonlySet<string>[], items: readonly string[]): number =>
  baskets.filter((basket) => items.every((one) => basket.has(one))).length;

function joined(kept: readonly string[][], found: ReadonlyMap<string, Counted>): string[][] {
  const next: string[][] = [];
  for (const [at, a] of kept.entries()) {
    const begins = keyOf(a.slice(0, -1));
    for (let beside = at + 1; beside < kept.length; beside++) {
      const b = kept[beside] ?? [];
      if (begins !== keyOf(b.slice(0, -1))) break;
      const items = [...a, b.at(-1) ?? ''];
      const parts = items.map((one) => items.filter((other) => other !== one));
      if (parts.every((part) => found.has(keyOf(part)))) next.push(items);
      if (next.length > MOST_SETS) throw tooMuch(`more than ${MOST_SETS} sets would have to be looked for`);
    }
  }
  return next;
}

const tooMuch = (why: string): Error =>
  failed('tool_limit', `mine_rules: min_support: ${why}: raise it.`, { subject: 'min_support' });

const keyOf = (items: readonly string[]): string => JSON.stringify(items);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
