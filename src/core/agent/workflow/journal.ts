/** Reading a journal, and the one way of writing to it. */
import { canonical } from '../tools/tool.ts';
import type { ToolResult } from './definition.ts';
import type { JournalDraft, JournalEntry, Workflow, WorkflowState } from './workflow.ts';
import type { FailureCode } from '../../errors.ts';

export type Entry<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { kind: Kind }>;

export function entriesOf<Kind extends JournalEntry['kind']>(
  journal: readonly JournalEntry[],
  kind: Kind,
): Entry<Kind>[] {
  return journal.filter((entry): entry is Entry<Kind> => entry.kind === kind);
}

export function lastOf<Kind extends JournalEntry['kind']>(
  journal: readonly JournalEntry[],
  kind: Kind,
): Entry<Kind> | null {
  return entriesOf(journal, kind).at(-1) ?? null;
}

/** The workflow with one more line, and the state that follows from it. Pure. */
export function record<Input, Action>(
  workflow: Workflow<Input, Action>,
  draft: JournalDraft,
  at: number,
  state: WorkflowState<Action>,
): Workflow<Input, Action> {
  const entry: JournalEntry = { n: workflow.journal.length + 1, at, ...draft };
  return { ...workflow, journal: [...workflow.journal, entry], state, updated_at: at };
}

/** Results of the calls that ended well, in their order, with the real ids that they were made with. */
export function toolResults(journal: readonly JournalEntry[]): ToolResult[] {
  const inputs = new Map(entriesOf(journal, 'tool_started').map((entry) => [entry.call, entry.input]));
  return entriesOf(journal, 'tool_ended').map(({ call, tool, output }) => ({ tool, input: inputs.get(call), output }));
}

/** The tool call that was begun and of which no end is known; null when there is none. */
export function openToolCall(journal: readonly JournalEntry[]): Entry<'tool_started'> | null {
  return open(journal, lastOf(journal, 'tool_started'));
}

/** The model call that was begun and of which no end is known. */
export function openModelCall(journal: readonly JournalEntry[]): Entry<'model_started'> | null {
  return open(journal, lastOf(journal, 'model_started'));
}

function open<Started extends { call: string }>(journal: readonly JournalEntry[], begun: Started | null) {
  const ended = journal.flatMap((entry) =>
    /_(?:ended|failed)$/.test(entry.kind) && 'call' in entry ? entry.call : [],
  );
  return begun && ended.includes(begun.call) ? null : begun;
}

/** What an answer was made into. */
export const READ: ReadonlySet<JournalEntry['kind']> = new Set([
  'thought',
  'unparsed',
  'written',
  'unwritten',
] as const);

/** The last answer, when nothing was made of it yet (neither a thought nor found unreadable). */
export function unreadAnswer(journal: readonly JournalEntry[]): Entry<'model_ended'> | null {
  const last = journal.findLast(({ kind }) => READ.has(kind) || kind === 'model_ended');
  return last?.kind === 'model_ended' ? last : null;
}

/** What became of a form; null: it was not asked for, or has no answer yet. */
export function formOf(journal: readonly JournalEntry[], form: string): Entry<'written'> | Entry<'unwritten'> | null {
  const entry = journal.find((one) => (one.kind === 'written' || one.kind === 'unwritten') && one.form === form);
  return entry?.kind === 'written' || entry?.kind === 'unwritten' ? entry : null;
}

/** How many answers to a form could not be read. */
export function unparsedOf(journal: readonly JournalEntry[], form: string): number {
  const calls = new Set(
    entriesOf(journal, 'model_started').flatMap(({ purpose, call }) => (purpose === form ? [call] : [])),
  );
  return entriesOf(journal, 'unparsed').filter(({ call }) => calls.has(call)).length;
}

/** Failures of the model since it last answered. */
export function failuresInRow(journal: readonly JournalEntry[]): Entry<'model_failed'>[] {
  const answered = journal.findLastIndex(({ kind }) => kind === 'model_ended');
  return entriesOf(journal.slice(answered + 1), 'model_failed');
}

/** How often the model said that its context is full. */
export function timesFull(journal: readonly JournalEntry[]): number {
  return entriesOf(journal, 'model_failed').filter((entry) => entry.failure.code === 'model_context_full').length;
}

/** Whether this very call was begun before, by whomever. */
export function wasCalled(journal: readonly JournalEntry[], tool: string, input: unknown): boolean {
  const wanted = canonical(input);
  return entriesOf(journal, 'tool_started').some((entry) => entry.tool === tool && canonical(entry.input) === wanted);
}

/** Why this very call of the model was refused before; null where it was not. */
export function refusalOf(journal: readonly JournalEntry[], tool: string, input: unknown): string | null {
  const wanted = canonical(input);
  const same = entriesOf(journal, 'tool_started').filter(
    (entry) => entry.by === 'model' && entry.tool === tool && canonical(entry.input) === wanted,
  );
  const calls = new Set(same.map(({ call }) => call));
  const refused = entriesOf(journal, 'tool_failed').find(
    ({ call, failure }) => calls.has(call) && failure.code === 'tool_refused',
  );
  return refused?.failure.message ?? null;
}

/**
 * How often the open model call was begun. Kept on the workflow, not in its journal: the call is one, however often a tab
 * died in the middle of it, and nothing is left of the count once the call has an end.
 *
 *   AGENT-51 a call that has no end is made again twice; then the workflow stops and a person gets the question. A model
 *            that takes the tab down with it is no endless loop.
 */

const MOST_TRIES = 3;

export const NEVER_CAME_BACK =
  'The model did not come back from this question twice: the page was closed, or it ran out of memory, before it answered.';

/** True where the open call may not be made once more. */
export function isGivenUp(workflow: Pick<Workflow, 'tries'>): boolean {
  return (workflow.tries ?? 0) >= MOST_TRIES;
}

/** The workflow before its open call is made again. One that an earlier release left open was made once. */
export function triedAgain<Input, Action>(workflow: Workflow<Input, Action>): Workflow<Input, Action> {
  return { ...workflow, tries: (workflow.tries ?? 1) + 1 };
}

/** The workflow whose open call was stopped from this side (a pause): that was no try. */
export function untried<Input, Action>(workflow: Workflow<Input, Action>): Workflow<Input, Action> {
  return { ...workflow, tries: Math.max(0, (workflow.tries ?? 1) - 1) };
}

/** The workflow with the count that fits its next line: one at the begin of a call, none after anything else. */
export function withTries<Input, Action>(
  workflow: Workflow<Input, Action>,
  next: JournalDraft['kind'],
): Workflow<Input, Action> {
  const { tries: _, ...rest } = workflow;
  return next === 'model_started' ? { ...rest, tries: 1 } : rest;
}

/** What another try may cure by itself; the others need a person (a key, an address, another model). */
const WORTH_A_TRY: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'rate_limited',
  'model_unreachable',
  'model_cut',
  'model_empty',
  'model_timeout',
  'model_error',
  'server_error',
  'offline',
  'worker_died',
]);
const MOST_RETRIES = 2;
/** Milliseconds before the first retry; doubled for the next. */
const FIRST_PAUSE = 1000;
/** Milliseconds: who asks for a longer wait is given up, a person is there sooner. */
const LONGEST_PAUSE = 60_000;

/**
 * Milliseconds to wait before the model is asked again after these failures in a row; 0 where none failed, null where it
 * is given up. A full context is met once by a shorter prompt, at once.
 */
export function retryPause(failures: readonly Entry<'model_failed'>[], full: number): number | null {
  const last = failures.at(-1);
  if (!last) return 0;
  const { code, retryAfterMs } = last.failure;
  if (code === 'model_context_full') return full <= 1 ? 0 : null;
  if (!WORTH_A_TRY.has(code) || failures.length > MOST_RETRIES) return null;
  const pause = Math.max(0, retryAfterMs ?? FIRST_PAUSE * 2 ** (failures.length - 1));
  return pause > LONGEST_PAUSE ? null : pause;
}
