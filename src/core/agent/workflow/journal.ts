/** Reading a journal, and the one way of writing to it. */
import { canonical } from '../tools/canonical.ts';
import type { ToolResult } from './definition.ts';
import type { JournalDraft, JournalEntry, Workflow, WorkflowState } from './workflow.ts';

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
  const last = lastOf(journal, 'tool_started');
  if (last === null) return null;
  const ended = journal.some(
    (entry) => (entry.kind === 'tool_ended' || entry.kind === 'tool_failed') && entry.call === last.call,
  );
  return ended ? null : last;
}

/** The model call that was begun and of which no end is known. */
export function openModelCall(journal: readonly JournalEntry[]): Entry<'model_started'> | null {
  const last = lastOf(journal, 'model_started');
  if (last === null) return null;
  const ended = journal.some(
    (entry) => (entry.kind === 'model_ended' || entry.kind === 'model_failed') && entry.call === last.call,
  );
  return ended ? null : last;
}

/** The last answer, when nothing was made of it yet (neither a thought nor found unreadable). */
export function unreadAnswer(journal: readonly JournalEntry[]): Entry<'model_ended'> | null {
  for (const entry of [...journal].reverse()) {
    if (entry.kind === 'thought' || entry.kind === 'unparsed') return null;
    if (entry.kind === 'model_ended') return entry;
  }
  return null;
}

/** Failures of the model since it last answered. */
export function failuresInRow(journal: readonly JournalEntry[]): Entry<'model_failed'>[] {
  const failures: Entry<'model_failed'>[] = [];
  for (const entry of [...journal].reverse()) {
    if (entry.kind === 'model_ended') break;
    if (entry.kind === 'model_failed') failures.unshift(entry);
  }
  return failures;
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
