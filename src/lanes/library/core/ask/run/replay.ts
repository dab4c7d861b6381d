/**
 * A run played back from its transcript: every step is decided anew from the recorded replies and results, without a model,
 * a library or a network.
 *
 *   ASK-56 each decision is the recorded one and the answer is the same, byte for byte; else the replay fails and says where
 */
import * as v from 'valibot';
import { canonical } from '#core/agent/tools/tool.ts';
import { parseForm } from '#core/agent/prompt/form.ts';
import type { Form, Step } from '#core/agent/workflow/definition.ts';
import { entriesOf } from '#core/agent/workflow/journal.ts';
import type { JournalEntry } from '#core/agent/workflow/workflow.ts';
import { failed } from '#core/errors.ts';
import type { Answer } from '../answer/answer.types.ts';
import { knownTools, type AskTool } from '../tools/ask-tool.ts';
import type { AskAction } from './ask-input.ts';
import { askDefinition, type AskWorld } from './definition.ts';
import { NoteSchema } from './notes.ts';
import { runOf, type AskLine } from './transcript.ts';

/** Throws AccessionError: `invalid` where it is no transcript, or has no answer yet; `conflict` where a step differs. */
export function replay(lines: readonly AskLine[], tools: readonly AskTool[]): Answer {
  const { run, spents } = runOf(lines);
  const { journal, input } = run;
  const definition = askDefinition<never>(recordedWorld(journal, tools), []);
  let form: Form | null = null;
  let answer: Answer | null = null;
  for (const [at, entry] of journal.entries()) {
    const spent = spents[at - 1];
    if (at === 0 || spent === undefined) continue;
    const step = decides(entry) ? definition.next(input, journal.slice(0, at), spent) : null;
    if (step?.kind === 'write') form = step.form;
    if (step?.kind === 'act') answer = step.action.answer;
    if (step !== null && !isSame(step, entry)) throw differs(entry);
    if (entry.kind === 'written' && !isReadAlike(entry, form, journal)) throw differs(entry);
  }
  if (answer === null)
    throw failed('invalid', 'The run of this transcript has no answer yet.', { remedy: 'Take it up with --resume.' });
  return answer;
}

const decides = (entry: JournalEntry): boolean =>
  ['context', 'model_started', 'tool_started', 'unwritten'].includes(entry.kind) ||
  (entry.kind === 'action' && entry.phase === 'decided');

function isSame(step: Step<AskAction>, entry: JournalEntry): boolean {
  switch (entry.kind) {
    case 'context':
      return step.kind === 'note' && canonical(step.data) === canonical(entry.data);
    case 'model_started':
      return step.kind === 'write' && step.form.name === entry.purpose;
    case 'unwritten':
      return step.kind === 'write' && step.form.name === entry.form;
    case 'tool_started':
      return step.kind === 'call' && step.tool === entry.tool && canonical(step.input) === canonical(entry.input);
    case 'action':
      return step.kind === 'act' && canonical(step.action) === canonical(entry.action);
    default:
      return true;
  }
}

/** What was read of a model's reply is read of it again. */
function isReadAlike(
  entry: Extract<JournalEntry, { kind: 'written' }>,
  form: Form | null,
  journal: readonly JournalEntry[],
): boolean {
  const reply = entriesOf(journal, 'model_ended').find(({ call }) => call === entry.call);
  if (reply === undefined || form?.name !== entry.form) return false;
  const read = parseForm(reply.content, reply.finish_reason, form);
  return read.ok && canonical(read.value) === canonical(entry.value);
}

const differs = (entry: JournalEntry) =>
  failed('conflict', `Played back, the run differs at entry ${entry.n}.`, {
    remedy: 'It was made by another version of this program, or somebody changed the file.',
  });

/** What the run looked at beside its journal, as it was noted there. */
function recordedWorld(journal: readonly JournalEntry[], tools: readonly AskTool[]): AskWorld {
  const notes = entriesOf(journal, 'context').flatMap(({ data }) => {
    const read = v.safeParse(NoteSchema, data);
    return read.success ? [read.output] : [];
  });
  const weights = new Map(notes.flatMap((note) => ('weights' in note ? Object.entries(note.weights) : [])));
  const gone = new Set(notes.flatMap((note) => (note.step === 'changed' ? note.source_ids : [])));
  return {
    weigh: (term) => weights.get(term) ?? 1,
    isCurrent: ({ source_id }) => !gone.has(source_id),
    tools: (state, { question, options }) =>
      knownTools(options.tools.allow, tools, { question, evidence: state.evidence }),
  };
}
