/** The numbers of a run's answers, each with the call that found it: its tool, version and input. */
import { entriesOf } from '#core/agent/workflow/journal.ts';
import type { JournalEntry } from '#core/agent/workflow/workflow.ts';
import type { TracedNumber } from '../answer/trace.ts';
import type { RunLine } from './lines.ts';

export interface RunNumber extends TracedNumber {
  /** From 0. */
  step: number;
  unit: number;
  /** What the call was given, where it is of this run; of units that were taken over it is in the run that they are from. */
  input?: unknown;
}

/** `lines`: a journal that was read (`pastOf`). */
export function numbersOfRun(lines: readonly unknown[], of?: { step: number; unit: number }): RunNumber[] {
  const journals = new Map<string, JournalEntry[]>();
  return (lines as readonly RunLine[]).flatMap((line): RunNumber[] => {
    if (!('unit' in line) || (of !== undefined && (of.step !== line.step || of.unit !== line.unit))) return [];
    const { step, unit } = line;
    const key = `${step}/${unit}/${line.attempt}`;
    if (line.kind === 'entry' && line.entry.kind === 'tool_started')
      journals.set(key, [...(journals.get(key) ?? []), line.entry]);
    if (line.kind !== 'done' && line.kind !== 'taken') return [];
    const calls = entriesOf(journals.get(key) ?? [], 'tool_started').filter(({ by }) => by === 'model');
    journals.delete(key);
    return (line.numbers?.list ?? []).map((number) => {
      const { source } = number;
      const call = source?.of === 'call' ? calls[Number(source.handle.slice(1)) - 1] : undefined;
      return { step, unit, ...number, ...(call === undefined ? {} : { input: call.input }) };
    });
  });
}
