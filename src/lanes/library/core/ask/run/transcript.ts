/**
 * The transcript of a run, one JSON object a line, as the specification says: `{ ts, iter, role, event, content }`. A line is
 * an entry of the journal: a run is taken up again from its transcript alone.
 *
 *   ASK-55 every line is valid by itself; a torn last line is dropped; secrets are in none; rationales are in plans only
 */
import * as v from 'valibot';
import { redactDeep } from '#core/agent/reasoning/steps.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import { EntryShape, SpentShape, type JournalEntry, type Workflow } from '#core/agent/workflow/workflow.ts';
import { failed } from '#core/errors.ts';
import { MOST_SUBQUESTIONS } from '../question/question.types.ts';
import { AskActionSchema, AskInputSchema, type AskAction, type AskInput } from './ask-input.ts';
import { stateOf } from './fold.ts';
import { NoteSchema } from './notes.ts';

export type AskRun = Workflow<AskInput, AskAction>;

export const LineSchema = v.object({
  ts: v.pipe(v.string(), v.isoTimestamp()),
  iter: v.pipe(v.number(), v.integer(), v.minValue(0)),
  role: v.picklist(['planner', 'tool', 'system']),
  event: v.picklist(['plan', 'tool_call', 'tool_result', 'finalize', 'error']),
  content: v.record(v.string(), v.unknown()),
});
export type AskLine = v.InferOutput<typeof LineSchema>;

/** The lines of the entries from `from` on (counted from 0). */
export function linesFrom(run: AskRun, from: number): AskLine[] {
  return run.journal.slice(from).map((entry, at) => lineOf(run, entry, from + at));
}

/** A call that is made once more after a crash: a line, and no entry. */
export function againLine(run: AskRun, at: number): AskLine {
  return {
    ts: new Date(at).toISOString(),
    iter: stateOf(run.journal).iteration,
    role: 'system',
    event: 'error',
    content: { error: 'A call of the model had no end; it is made again.', tries: run.tries ?? 0 },
  };
}

export const toJsonLines = (lines: readonly AskLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

function lineOf(run: AskRun, entry: JournalEntry, index: number): AskLine {
  const before = stateOf(run.journal.slice(0, index));
  const iter = before.iteration + (before.phase === 'plan_or_refine' ? 1 : 0);
  const { role, event, content, kept } = said(run, entry);
  const clean = redactDeep({ ...content, entry: kept, spent: run.spent });
  return { ts: new Date(entry.at).toISOString(), iter, role, event, content: isRecord(clean) ? clean : {} };
}

type Said = Pick<AskLine, 'role' | 'event' | 'content'> & {
  /** The entry, without what `content` has already. */
  kept: Record<string, unknown>;
};

function said(run: AskRun, entry: JournalEntry): Said {
  const whole = { ...entry };
  switch (entry.kind) {
    case 'context': {
      if (entry.n === 1) return opening(run, entry);
      const note = v.safeParse(NoteSchema, entry.data);
      if (!note.success || note.output.step !== 'planned')
        return { role: 'system', event: 'plan', content: { note: entry.content }, kept: whole };
      const { subquestions, searched, rationale, requested_tools, stop_if, expanded_queries } = note.output;
      const plan = {
        subquestions: [...new Set([...subquestions.map(({ text }) => text), ...searched])].slice(0, MOST_SUBQUESTIONS),
        requested_tools,
        stop_if,
        expanded_queries,
      };
      const content = rationale === null ? plan : { ...plan, rationale };
      return { role: 'planner', event: 'plan', content, kept: whole };
    }
    case 'model_started':
      return {
        role: 'planner',
        event: 'tool_call',
        content: { name: 'model', input: { form: entry.purpose } },
        kept: whole,
      };
    case 'model_ended': {
      const { content: output, usage, ...kept } = entry;
      const result = { name: 'model', ok: true, output, provenance: {}, usage: usageOf(usage.milliseconds, usage) };
      return { role: 'planner', event: 'tool_result', content: result, kept: { ...kept, usage } };
    }
    case 'model_failed': {
      const result = {
        name: 'model',
        ok: false,
        output: null,
        provenance: {},
        usage: usageOf(null, null),
        error: entry.failure.message,
      };
      return { role: 'planner', event: 'tool_result', content: result, kept: whole };
    }
    case 'tool_started':
      return {
        role: 'tool',
        event: 'tool_call',
        content: { name: entry.tool, input: entry.input, by: entry.by },
        kept: whole,
      };
    case 'tool_ended': {
      const { output, ...kept } = entry;
      const usage = usageOf(entry.milliseconds, null);
      const result = { name: entry.tool, ok: true, output, provenance: provenanceOf(entry.tool, output), usage };
      return { role: 'tool', event: 'tool_result', content: result, kept };
    }
    case 'tool_failed': {
      const usage = usageOf(entry.milliseconds, null);
      const result = { name: entry.tool, ok: false, output: null, provenance: {}, usage, error: entry.failure.message };
      return { role: 'tool', event: 'tool_result', content: result, kept: whole };
    }
    case 'written':
      return { role: 'planner', event: 'plan', content: { form: entry.form, written: true }, kept: whole };
    case 'unwritten':
      return {
        role: 'system',
        event: 'error',
        content: { error: entry.sentence, form: entry.form, bound: entry.bound },
        kept: whole,
      };
    case 'unparsed':
      return {
        role: 'planner',
        event: 'error',
        content: { error: `The model's answer could not be read: ${entry.reason}.` },
        kept: whole,
      };
    case 'error':
      return { role: 'system', event: 'error', content: { error: entry.failure.message }, kept: whole };
    case 'action': {
      const { action, ...kept } = entry;
      const read = v.safeParse(AskActionSchema, action);
      const answer = read.success ? { ...read.output.answer } : {};
      return { role: 'system', event: 'finalize', content: answer, kept };
    }
    default:
      return { role: 'system', event: 'plan', content: { note: entry.kind }, kept: whole };
  }
}

function opening(run: AskRun, entry: Extract<JournalEntry, { kind: 'context' }>): Said {
  const { question, task } = run.input;
  const { id, definition, definition_version, strategy, model, recorded, seed, started_at, input } = run;
  const kept = { ...entry, data: {} };
  const about = { id, definition, definition_version, strategy, model, recorded, seed, started_at, input };
  return { role: 'system', event: 'plan', content: { question, task, run: about }, kept };
}

const usageOf = (latency: number | null, tokens: { tokens_in: number | null; tokens_out: number | null } | null) => ({
  latency_ms: latency,
  tokens: tokens === null ? 0 : (tokens.tokens_in ?? 0) + (tokens.tokens_out ?? 0),
});

/** `source_ids`, `urls` or `calc`: where each item of a result came from. */
function provenanceOf(tool: string, output: unknown): Record<string, unknown> {
  const docs = isRecord(output) && Array.isArray(output['docs']) ? (output['docs'] as unknown[]) : [];
  const ids = docs.flatMap((doc) => (isRecord(doc) && typeof doc['source_id'] === 'string' ? [doc['source_id']] : []));
  const urls = docs.flatMap((doc) => {
    const url = isRecord(doc) && isRecord(doc['metadata']) ? doc['metadata']['url'] : null;
    return typeof url === 'string' ? [url] : [];
  });
  if (tool === 'calculator') return { calc: isRecord(output) ? (output['expression'] ?? null) : null };
  return urls.length > 0 ? { source_ids: [...new Set(ids)], urls } : { source_ids: [...new Set(ids)] };
}

/** The lines of a transcript. A last line that is torn is dropped; any other throws AccessionError `invalid` with its number. */
export function readLines(text: string): AskLine[] {
  const all = text.split('\n');
  const lines: AskLine[] = [];
  const last = all.findLastIndex((line) => line.trim() !== '');
  for (const [at, line] of all.entries()) {
    if (line.trim() === '') continue;
    const read = v.safeParse(LineSchema, parsed(line));
    if (read.success) lines.push(read.output);
    else if (at !== last || text.endsWith('\n'))
      throw failed('invalid', `Line ${at + 1} of the transcript cannot be read.`);
  }
  return lines;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

const AboutSchema = v.object({
  id: v.string(),
  definition: v.literal('ask', 'it is no transcript of a question'),
  definition_version: v.literal(1, 'it was written by another version of this program'),
  strategy: v.literal('led'),
  model: v.string(),
  recorded: v.boolean(),
  seed: v.number(),
  started_at: v.number(),
  input: AskInputSchema,
});

/** The run of a transcript, and what was spent after each entry. Throws AccessionError `invalid` where it is none. */
export function runOf(lines: readonly AskLine[]): { run: AskRun; spents: AskRun['spent'][] } {
  const spents: AskRun['spent'][] = [];
  const [first] = lines;
  const about = v.safeParse(AboutSchema, first?.content['run']);
  if (!about.success) throw failed('invalid', `The transcript cannot be read: ${about.issues[0].message}.`);
  const journal: JournalEntry[] = [];
  let spent: AskRun['spent'] = { iterations: 0, tokens_in: 0, tokens_out: 0, cost: 0, milliseconds: 0, repairs: 0 };
  let tries: number | undefined;
  for (const line of lines) {
    const { content } = line;
    if (content['entry'] === undefined) {
      tries = typeof content['tries'] === 'number' ? content['tries'] : tries;
      continue;
    }
    const entry = v.safeParse(EntryShape, entryOf(line, about.output.input));
    if (!entry.success || entry.output.n !== journal.length + 1)
      throw failed('invalid', `The transcript cannot be read: an entry after ${journal.length} is missing or damaged.`);
    journal.push(entry.output);
    spent = v.parse(SpentShape, content['spent']);
    spents.push(spent);
    tries = entry.output.kind === 'model_started' ? 1 : undefined;
  }
  const { definition, ...rest } = about.output;
  const run: AskRun = {
    schema_version: 1,
    ...rest,
    definition,
    state: { type: 'Thinking' },
    journal,
    entities: {},
    spent,
    ...(tries === undefined ? {} : { tries }),
    updated_at: journal.at(-1)?.at ?? rest.started_at,
  };
  return { run: { ...run, state: stateAfter(run) }, spents };
}

function entryOf({ content }: AskLine, input: AskInput): unknown {
  const { entry, spent: _spent, ...rest } = content;
  if (!isRecord(entry)) return null;
  switch (entry['kind']) {
    case 'context':
      return entry['n'] === 1 ? { ...entry, data: { ...input } } : entry;
    case 'model_ended':
      return { ...entry, content: rest['output'] };
    case 'tool_ended':
      return { ...entry, output: rest['output'] };
    case 'action':
      return { ...entry, action: { type: 'Answer', answer: rest } };
    default:
      return entry;
  }
}

function stateAfter({ journal }: AskRun): AskRun['state'] {
  const last = journal.at(-1);
  if (last?.kind === 'error')
    return { type: 'Failed', error: last.failure.message, failure: last.failure, recoverable: false };
  if (last?.kind !== 'action') return { type: journal.length === 0 ? 'Started' : 'Thinking' };
  const action = v.parse(AskActionSchema, last.action);
  if (last.phase === 'decided') return { type: 'ReadyToExecute', action };
  return { type: 'Completed', result: { action, decided_by: 'agent', why: last.why } };
}
