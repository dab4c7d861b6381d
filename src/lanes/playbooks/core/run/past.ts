/** What the journal of a run says was done: where it is taken up again, and what another run may take over. */
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import { EntryShape, type JournalEntry, type Spent } from '#core/agent/workflow/workflow.ts';
import { writtenOutcome } from '#core/agent/workflow/written-answer.ts';
import type { AnswerNumbers, TracedNumber } from '../answer/trace.ts';
import type { Fault } from '../faults.ts';
import type { Value } from '../value.ts';
import { LineShape, type RunHead, type RunLine } from './lines.ts';
import type { EndState } from './states.ts';

/** What another run has of a unit. */
export interface Reused {
  value: Value;
  numbers?: AnswerNumbers;
}

/** A unit's workflow as far as it went. */
export interface PastFlow {
  attempt: number;
  journal: JournalEntry[];
  spent: Spent;
  tries: number | null;
}

export interface PastStep {
  units: number;
  /** Milliseconds that the run had lasted when it was opened, and how many of its units are over since. */
  begun: number;
  over: number;
  inputs: { path: string; sha256: string }[];
  /** Answers of the units that are over. */
  answers: Map<number, Value>;
  failures: Map<number, Fault>;
  /** Numbers of answers, each with where it comes from, by unit; of units without any there are none. */
  numbers: Map<number, readonly TracedNumber[]>;
  flows: Map<number, PastFlow>;
  closed: { records: number; last: Value; files: { path: string; sha256: string }[] } | null;
}

export interface Past {
  head: RunHead;
  steps: Map<number, PastStep>;
  /** null: it was not ended; killed, or it runs. */
  end: { state: EndState; error: Fault | null } | null;
  /** By the unit's key, of all units that are over: for `--reuse`. */
  keys: Map<string, Reused>;
  /** Of all answers, by step. */
  numbers: { step: number; traced: number; untraced: number }[];
  /** Model and tool calls that were begun, in all; by step, too. */
  used: { step: number; model: number; tool: number; tokens: number; cost: number }[];
  /** Milliseconds that its sessions lasted. */
  elapsed: number;
  /** When its last line was written. */
  last: number;
  limits: Record<string, number>;
}

/** Throws AccessionError `invalid` where the lines are no journal of a run. */
export function pastOf(lines: readonly unknown[]): Past {
  const head = readLine(lines[0], 1);
  if (head.kind !== 'run') throw failed('invalid', 'The journal does not begin with a run.');
  const past: Past = {
    ...{
      head,
      steps: new Map(),
      end: null,
      keys: new Map(),
      numbers: [],
      used: [],
      elapsed: 0,
      last: head.at,
      limits: {},
    },
  };
  addLines(past, lines, 0);
  return past;
}

/** Lines that follow `before` earlier ones of the same journal. Throws AccessionError `invalid` where they cannot. */
export function addLines(past: Past, lines: readonly unknown[], before: number): void {
  for (const [at, raw] of lines.entries()) addLine(past, readLine(raw, before + at + 1));
}

/** One more line of the same journal. */
export function addLine(past: Past, line: RunLine): void {
  if (line.kind === 'session') past.limits = line.limits;
  if ('at' in line) {
    // What lies between two sessions is nobody's time.
    if (line.kind !== 'session') past.elapsed += Math.max(0, line.at - past.last);
    past.last = line.at;
  }
  apply(past, line);
}

function readLine(raw: unknown, number: number): RunLine {
  // Most of a journal: entries are parsed where they are needed (parsedJournal).
  if (isLooseEntry(raw) || isDone(raw)) return raw;
  const read = v.safeParse(LineShape, raw);
  if (read.success) return read.output;
  throw failed('invalid', `The journal cannot be read: line ${number}: ${read.issues[0].message}.`);
}

function isLooseEntry(raw: unknown): raw is Extract<RunLine, { kind: 'entry' }> {
  if (typeof raw !== 'object' || raw === null) return false;
  const line = raw as Record<string, unknown>;
  const { entry, spent } = line;
  return (
    line['kind'] === 'entry' &&
    typeof line['step'] === 'number' &&
    typeof line['unit'] === 'number' &&
    typeof line['attempt'] === 'number' &&
    typeof entry === 'object' &&
    entry !== null &&
    'kind' in entry &&
    (spent === undefined || (typeof spent === 'object' && spent !== null))
  );
}

function isDone(raw: unknown): raw is Extract<RunLine, { kind: 'done' }> {
  if (typeof raw !== 'object' || raw === null) return false;
  const { kind, at, step, unit, attempt, key, numbers } = raw as Record<string, unknown>;
  return (
    kind === 'done' &&
    numbers === undefined &&
    typeof key === 'string' &&
    [at, step, unit, attempt].every(Number.isFinite)
  );
}

function stepOf(past: Past, at: number): PastStep {
  const known = past.steps.get(at);
  if (known !== undefined) return known;
  const begun = past.elapsed;
  const step = {
    units: 0,
    begun,
    over: 0,
    inputs: [],
    answers: new Map(),
    failures: new Map(),
    numbers: new Map(),
    flows: new Map(),
    closed: null,
  };
  past.steps.set(at, step);
  return step;
}

function apply(past: Past, line: RunLine): void {
  switch (line.kind) {
    case 'run':
      return;
    case 'session':
      return begunAgain(past);
    case 'opened': {
      const step = stepOf(past, line.step);
      step.units = line.units;
      step.inputs = line.inputs;
      return;
    }
    case 'entry':
      return addEntry(past, line);
    case 'again': {
      const flow = stepOf(past, line.step).flows.get(line.unit);
      if (flow !== undefined) flow.tries = line.tries;
      return;
    }
    case 'done': {
      const step = stepOf(past, line.step);
      const flow = step.flows.get(line.unit);
      const value = flow === undefined ? null : answerIn(flow.journal);
      step.over += 1;
      step.answers.set(line.unit, value);
      past.keys.set(line.key, { value, ...counted(past, line) });
      // Nobody looks at its workflow again.
      step.flows.delete(line.unit);
      return;
    }
    case 'taken':
      stepOf(past, line.step).answers.set(line.unit, line.value as Value);
      past.keys.set(line.key, { value: line.value as Value, ...counted(past, line) });
      return;
    case 'failed':
      stepOf(past, line.step).failures.set(line.unit, line.fault as Fault);
      return;
    case 'closed':
      stepOf(past, line.step).closed = { records: line.records, last: line.last as Value, files: line.files };
      return;
    case 'ended':
      past.end = { state: line.state, error: line.error as Fault | null };
  }
}

function counted(
  past: Past,
  { step, unit, numbers }: { step: number; unit: number; numbers?: AnswerNumbers },
): { numbers?: AnswerNumbers } {
  if (numbers === undefined) return {};
  past.numbers.push({ step, traced: numbers.traced, untraced: numbers.untraced });
  if (numbers.list.length > 0) stepOf(past, step).numbers.set(unit, numbers.list);
  return { numbers };
}

/** After an end, what failed the run is asked anew; what a kill left open goes on. */
function begunAgain(past: Past): void {
  if (past.end === null) return;
  past.end = null;
  for (const step of past.steps.values()) {
    if (step.closed !== null) continue;
    for (const unit of step.failures.keys()) step.failures.delete(unit);
    for (const [unit, flow] of step.flows)
      if (writtenOutcome(flow.journal).kind === 'none') step.flows.set(unit, { ...emptyFlow(flow.attempt + 1) });
  }
}

export const NOTHING_SPENT: Spent = {
  ...{ iterations: 0, tokens_in: 0, tokens_out: 0, cost: 0, milliseconds: 0, repairs: 0 },
};
const emptyFlow = (attempt: number): PastFlow => ({
  ...{ attempt, journal: [], tries: null, spent: NOTHING_SPENT },
});

function addEntry(past: Past, line: Extract<RunLine, { kind: 'entry' }>): void {
  const { step, unit, attempt, entry } = line;
  const { flows } = stepOf(past, step);
  let flow = flows.get(unit);
  if (flow === undefined || flow.attempt !== attempt) flows.set(unit, (flow = emptyFlow(attempt)));
  const { spent = flow.spent } = line;
  const used = { step, model: 0, tool: 0, tokens: 0, cost: 0 };
  if (entry.kind === 'model_started') used.model = 1;
  if (entry.kind === 'tool_started') used.tool = 1;
  used.tokens = spent.tokens_in + spent.tokens_out - flow.spent.tokens_in - flow.spent.tokens_out;
  used.cost = spent.cost - flow.spent.cost;
  if (used.model + used.tool + used.tokens + used.cost > 0) past.used.push(used);
  flow.journal.push(entry);
  flow.spent = spent;
  flow.tries = entry.kind === 'model_started' ? 1 : null;
}

function answerIn(journal: readonly JournalEntry[]): Value {
  const outcome = writtenOutcome(journal);
  return outcome.kind === 'answer' ? (outcome.value as Value) : null;
}

/** The workflow's entries, parsed. Throws AccessionError `invalid`. */
export function parsedJournal(journal: readonly JournalEntry[]): JournalEntry[] {
  return journal.map((entry, at) => {
    const read = v.safeParse(EntryShape, entry);
    if (read.success && read.output.n === at + 1) return read.output;
    throw failed('invalid', 'The journal cannot be read: an entry of a unit is damaged or missing.');
  });
}
