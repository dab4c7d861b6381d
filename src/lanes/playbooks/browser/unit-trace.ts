/** What was done about one unit, a line an entry of its workflow. */
import type { RunLine } from '../core/run/lines.ts';
import { pastOf } from '../core/run/past.ts';
import type { UnitTrace } from './playbook-api.types.ts';

type Entry = Extract<RunLine, { kind: 'entry' }>['entry'];

/** Throws AccessionError `invalid` where the lines are no journal of a run. */
export function unitTrace(lines: readonly unknown[], step: number, unit: number): UnitTrace['lines'] {
  pastOf(lines);
  return (lines as RunLine[]).flatMap((line): UnitTrace['lines'] => {
    if (!('unit' in line) || line.step !== step || line.unit !== unit) return [];
    if (line.kind === 'entry') return [{ at: line.entry.at, kind: line.entry.kind, text: textOf(line.entry) }];
    if (line.kind === 'failed') return [{ at: line.at, kind: line.kind, text: line.fault.message }];
    return line.kind === 'taken' ? [{ at: line.at, kind: line.kind, text: JSON.stringify(line.value) }] : [];
  });
}

function textOf(entry: Entry): string {
  switch (entry.kind) {
    case 'model_ended':
      return entry.content;
    case 'model_failed':
    case 'tool_failed':
    case 'error':
      return entry.failure.message;
    case 'unparsed':
      return entry.reason;
    case 'unwritten':
      return entry.sentence;
    case 'tool_started':
      return `${entry.tool} ${JSON.stringify(entry.input)}`;
    case 'tool_ended':
      return JSON.stringify(entry.output);
    default:
      return '';
  }
}
