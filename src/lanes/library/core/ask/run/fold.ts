/** The state of a run from its journal: the same journal is the same state, after a crash too. */
import * as v from 'valibot';
import type { JournalEntry } from '#core/agent/workflow/workflow.ts';
import { Ledger } from '../evidence/ledger.ts';
import { docsOfResult } from '../tools/results.ts';
import { AskActionSchema } from './ask-input.ts';
import { NoteSchema } from './notes.ts';
import { FIRST_STATE, transition, type AskEvent, type AskState } from './states.ts';

/** By the last entry: a journal only grows. */
const known = new WeakMap<JournalEntry, AskState>();

export function stateOf(journal: readonly JournalEntry[]): AskState {
  let from = journal.length;
  let state: AskState | undefined;
  while (from > 0 && state === undefined) {
    const entry = journal[from - 1];
    state = entry && known.get(entry);
    if (state === undefined) from -= 1;
  }
  let current = state ?? FIRST_STATE;
  for (const entry of journal.slice(from)) {
    current = after(current, entry);
    known.set(entry, current);
  }
  return current;
}

function after(state: AskState, entry: JournalEntry): AskState {
  const event = eventOf(state, entry);
  if (event === null) return state;
  const next = transition(state, event);
  return next.phase === 'run_tools' && next.requested.length === 0 ? transition(next, { type: 'tools done' }) : next;
}

function eventOf(state: AskState, entry: JournalEntry): AskEvent | null {
  switch (entry.kind) {
    case 'context':
      return entry.n === 1 ? { type: 'begun' } : noted(state, entry.data);
    case 'tool_ended':
    case 'tool_failed':
      return ran(state, entry);
    case 'action': {
      if (entry.phase !== 'decided') return null;
      return { type: 'answered', answer: v.parse(AskActionSchema, entry.action).answer };
    }
    default:
      return null;
  }
}

function noted(state: AskState, data: unknown): AskEvent {
  const note = v.parse(NoteSchema, data);
  switch (note.step) {
    case 'analysed':
      return { type: 'analysed', subquestions: note.subquestions };
    case 'planned': {
      const requested = note.requested_tools.map((request) => ({ ...request, by: note.by }));
      return { type: 'planned', subquestions: note.subquestions, requested, said: note.said };
    }
    case 'assessed': {
      const { iter, confidence, sufficient, added, stop } = note;
      return { type: 'assessed', round: { iter, confidence, sufficient, added }, stop };
    }
    case 'changed': {
      const gone = new Set(note.source_ids);
      const ledger = new Ledger(state.evidence);
      const dropped = ledger.dropChanged(({ source_id }) => !gone.has(source_id));
      return { type: 'sources changed', evidence: ledger.evidence, changed: dropped.map(({ title }) => title) };
    }
  }
}

function ran(state: AskState, entry: Extract<JournalEntry, { kind: 'tool_ended' | 'tool_failed' }>): AskEvent {
  const [request = { name: entry.tool, input: {} }] = state.requested;
  if (entry.kind === 'tool_failed')
    return {
      type: 'ran',
      request,
      evidence: state.evidence,
      added: 0,
      failure: `${entry.tool}: ${entry.failure.message}`,
    };
  const ledger = new Ledger(state.evidence);
  const { docs, query } = docsOfResult(request, entry.output);
  const { sources, grown } = ledger.add(docs, { query, tool: request.name });
  return { type: 'ran', request, evidence: ledger.evidence, added: sources + grown, failure: null };
}
