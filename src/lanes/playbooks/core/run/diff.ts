/** Two runs, unit by unit. */
import { namedTools } from '../check/tools.ts';
import type { RunLine } from './lines.ts';
import { metricsOf, type RunMetrics } from './metrics.ts';
import { pastOf } from './past.ts';
import { readPlaybook } from '../read/playbook.ts';

export interface UnitDiff {
  step: string;
  unit: number;
  what: 'same' | 'changed' | 'only here' | 'only there';
  /** Of a changed one: `prompt`, `answer`, `numbers` (other ones, or from elsewhere), `tool versions`. */
  differs: string[];
}

export interface RunDiff {
  units: UnitDiff[];
  here: RunMetrics;
  there: RunMetrics;
}

interface UnitOf {
  key: string;
  answer: string;
  numbers: string;
  /** Of the tools that its step names, with their versions. */
  tools: string;
}

function unitsIn(lines: readonly unknown[]): Map<string, UnitOf> {
  const { head } = pastOf(lines);
  const steps = readPlaybook(head.playbook).playbook?.steps ?? [];
  const tools = steps.map((step) =>
    namedTools(step)
      .map((name) => `${name} ${head.tools[name] ?? ''}`)
      .join(),
  );
  const answers = new Map<string, string>();
  const units = new Map<string, UnitOf>();
  for (const line of lines as readonly RunLine[]) {
    if (!('unit' in line)) continue;
    const at = JSON.stringify([steps[line.step]?.name ?? `step ${line.step + 1}`, line.unit]);
    if (line.kind === 'entry' && line.entry.kind === 'written') answers.set(at, JSON.stringify(line.entry.value));
    if (line.kind === 'entry' && line.entry.kind === 'tool_ended') answers.set(at, JSON.stringify(line.entry.output));
    if (line.kind === 'taken') answers.set(at, JSON.stringify(line.value));
    if (line.kind !== 'done' && line.kind !== 'taken') continue;
    const numbers = JSON.stringify(line.numbers ?? null);
    units.set(at, { key: line.key, answer: answers.get(at) ?? '', numbers, tools: tools[line.step] ?? '' });
  }
  return units;
}

/** What differs between two that have the same place. The key is of prompt, unit, model and versions together. */
function differences(one: UnitOf, other: UnitOf): string[] {
  const versions = one.key !== other.key && one.tools !== other.tools;
  return [
    ...(one.key !== other.key && !versions ? ['prompt'] : []),
    ...(one.answer === other.answer ? [] : ['answer']),
    ...(one.numbers === other.numbers ? [] : ['numbers']),
    ...(versions ? ['tool versions'] : []),
  ];
}

/** Throws AccessionError `invalid` where one is no journal. */
export function diffRuns(here: readonly unknown[], there: readonly unknown[]): RunDiff {
  const [a, b] = [unitsIn(here), unitsIn(there)];
  const units = [...new Set([...a.keys(), ...b.keys()])].map((at): UnitDiff => {
    const [step = '', unit = 0] = JSON.parse(at) as [string, number];
    const [one, other] = [a.get(at), b.get(at)];
    if (one === undefined || other === undefined)
      return { step, unit, what: one === undefined ? 'only there' : 'only here', differs: [] };
    const differs = differences(one, other);
    return { step, unit, what: differs.length === 0 ? 'same' : 'changed', differs };
  });
  return { units, here: metricsOf(pastOf(here)), there: metricsOf(pastOf(there)) };
}
