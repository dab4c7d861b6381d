/** Two runs, unit by unit. */
import type { JournalEntry } from '#core/agent/workflow/workflow.ts';
import { metricsOf, type RunMetrics } from './metrics.ts';
import { pastOf } from './past.ts';
import { readPlaybook } from '../read/playbook.ts';

export interface UnitDiff {
  step: string;
  unit: number;
  what: 'same' | 'changed' | 'only here' | 'only there';
  /** Of a changed one: `prompt`, `answer`. */
  differs: string[];
}

export interface RunDiff {
  units: UnitDiff[];
  here: RunMetrics;
  there: RunMetrics;
}

/** By step and unit: its key (prompt, unit, model, tools) and its answer. */
function unitsIn(lines: readonly unknown[]): Map<string, { key: string; answer: string }> {
  const { head } = pastOf(lines);
  const names = readPlaybook(head.playbook).playbook?.steps.map(({ name }) => name) ?? [];
  const answers = new Map<string, string>();
  const units = new Map<string, { key: string; answer: string }>();
  for (const raw of lines) {
    const line = raw as {
      kind: string;
      step: number;
      unit: number;
      key: string;
      value?: unknown;
      entry?: JournalEntry;
    };
    const at = JSON.stringify([names[line.step] ?? `step ${line.step + 1}`, line.unit]);
    if (line.kind === 'entry' && line.entry?.kind === 'written') answers.set(at, JSON.stringify(line.entry.value));
    if (line.kind === 'entry' && line.entry?.kind === 'tool_ended') answers.set(at, JSON.stringify(line.entry.output));
    if (line.kind === 'taken') answers.set(at, JSON.stringify(line.value));
    if (line.kind === 'done' || line.kind === 'taken') units.set(at, { key: line.key, answer: answers.get(at) ?? '' });
  }
  return units;
}

/** Throws AccessionError `invalid` where one is no journal. */
export function diffRuns(here: readonly unknown[], there: readonly unknown[]): RunDiff {
  const [a, b] = [unitsIn(here), unitsIn(there)];
  const units = [...new Set([...a.keys(), ...b.keys()])].map((at): UnitDiff => {
    const [step = '', unit = 0] = JSON.parse(at) as [string, number];
    const [one, other] = [a.get(at), b.get(at)];
    if (one === undefined || other === undefined)
      return { step, unit, what: one === undefined ? 'only there' : 'only here', differs: [] };
    const differs = [...(one.key === other.key ? [] : ['prompt']), ...(one.answer === other.answer ? [] : ['answer'])];
    return { step, unit, what: differs.length === 0 ? 'same' : 'changed', differs };
  });
  return { units, here: metricsOf(pastOf(here)), there: metricsOf(pastOf(there)) };
}
