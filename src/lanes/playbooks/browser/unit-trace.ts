/** What was done about one unit, a line an entry of its workflow. */
import type { Spent } from '#core/agent/workflow/workflow.ts';
import { marksInAnswer, type Mark } from '../core/records/number-marks.ts';
import type { RunLine } from '../core/run/lines.ts';
import { jsonLines } from '../core/run/lines-log.ts';
import { numbersOfRun } from '../core/run/numbers.ts';
import { pastOf } from '../core/run/past.ts';
import { printed, type Value } from '../core/value.ts';
import type { UnitTrace } from './playbook-api.types.ts';

type Entry = Extract<RunLine, { kind: 'entry' }>['entry'];

/** Throws AccessionError `invalid` where the lines are no journal of a run. */
export function unitTrace(lines: readonly unknown[], step: number, unit: number): Omit<UnitTrace, 'prompt'> {
  const past = pastOf(lines);
  const own = (lines as RunLine[]).filter((line) => 'unit' in line && line.step === step && line.unit === unit);
  /** Of each attempt, what it had taken in the end. */
  const spent = new Map<number, Spent>();
  for (const line of own) if (line.kind === 'entry' && line.spent !== undefined) spent.set(line.attempt, line.spent);
  const sum = (of: (one: Spent) => number): number => [...spent.values()].reduce((all, one) => all + of(one), 0);
  const numbers = numbersOfRun(lines, { step, unit });
  return {
    lines: withAnswer(
      own.flatMap((line): UnitTrace['lines'] => {
        if (line.kind === 'entry') return [{ at: line.entry.at, kind: line.entry.kind, text: textOf(line.entry) }];
        if (line.kind === 'failed') return [{ at: line.at, kind: line.kind, text: line.fault.message }];
        return line.kind === 'taken' ? [{ at: line.at, kind: line.kind, text: '' }] : [];
      }),
      past.steps.get(step)?.answers.get(unit),
      (text, answer) => marksInAnswer(text, answer, numbers, { step, unit }),
    ),
    took: {
      calls: sum(({ iterations }) => iterations),
      tokens_in: sum(({ tokens_in }) => tokens_in),
      tokens_out: sum(({ tokens_out }) => tokens_out),
      cost_usd: sum(({ cost }) => cost),
      milliseconds: sum(({ milliseconds }) => milliseconds),
      repairs: sum(({ repairs }) => repairs),
    },
    journal: jsonLines(own),
    numbers,
  };
}

/** Its answer as it was taken, where that is not what the model said; its numbers marked. */
function withAnswer(
  lines: UnitTrace['lines'],
  answer: Value | undefined,
  marksOf: (text: string, answer: Value) => Mark[],
): UnitTrace['lines'] {
  const taken = lines.findLast(({ kind }) => kind === 'written' || kind === 'taken');
  if (answer === undefined || taken === undefined) return lines;
  const text = printed(answer);
  const said = lines.findLast(({ kind }) => kind === 'model_ended');
  const shown = said?.text === text ? said : taken;
  const marks = marksOf(text, answer);
  return lines.map((line) => (line === shown ? { ...line, text, ...(marks.length === 0 ? {} : { marks }) } : line));
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
