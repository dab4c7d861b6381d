/**
 * Calls that a model may make before it writes its answer: it is asked in turn, and says a call or the answer.
 *
 *   AGENT-97 as often as the task says and with the tools that it names, enforced where calls run; what a call found, or why it
 *            failed, stands fenced behind the words; the last time only the answer is asked for
 *   AGENT-98 the same call twice is made once; a tool that the task does not name is no call, and is said as what is wrong
 */
import { canonical, isRecord } from '../tools/tool.ts';
import type { ToolDefinition } from '../llm/provider.ts';
import type { Brief, WrittenForm } from './definition.ts';
import { entriesOf, formOf, wasCalled, type Entry } from './journal.ts';
import type { JournalEntry } from './workflow.ts';

/** What a model said when it was asked for a call or the answer. */
export type Look = { call: { tool: string; input: Record<string, unknown> } } | { answer: unknown };

export const lookName = (round: number): string => `look ${round}`;

export interface LooksSoFar {
  /** The round that is open, from 1. */
  round: number;
  /** A call that was asked for and not made yet. */
  call: { tool: string; input: Record<string, unknown> } | null;
  /** A round that has an end of the whole in it: the answer, or that it was given up. */
  end: Entry<'written'> | Entry<'unwritten'> | null;
}

export function looksSoFar(journal: readonly JournalEntry[], rounds: number): LooksSoFar {
  for (let round = 1; round <= rounds; round++) {
    const form = formOf(journal, lookName(round));
    if (form === null) return { round, call: null, end: null };
    if (form.kind === 'unwritten') return { round, call: null, end: form };
    const look = form.value as Look;
    if ('answer' in look) return { round, call: null, end: form };
    if (!wasCalled(journal, look.call.tool, look.call.input)) return { round, call: look.call, end: null };
  }
  return { round: rounds + 1, call: null, end: null };
}

/** What calls of the model found, by handle. */
export function resultsOfCalls(journal: readonly JournalEntry[]): Map<string, unknown> {
  const calls = entriesOf(journal, 'tool_started').filter(({ by }) => by === 'model');
  const ended = new Map(entriesOf(journal, 'tool_ended').map((entry) => [entry.call, entry.output]));
  return new Map(calls.flatMap(({ call }, at) => (ended.has(call) ? [[`r${at + 1}`, ended.get(call)] as const] : [])));
}

/** What the calls of the model found, for a fence behind the words. */
export function foundByCalls(journal: readonly JournalEntry[]): Brief['sections'] {
  const rows = entriesOf(journal, 'tool_started').flatMap(({ call, tool, input, by }) => {
    if (by !== 'model') return [];
    const ended = entriesOf(journal, 'tool_ended').find((one) => one.call === call);
    const refused = entriesOf(journal, 'tool_failed').find((one) => one.call === call);
    const result = ended !== undefined ? canonical(ended.output) : `failed: ${refused?.failure.message ?? ''}`;
    return [{ call: `${tool} ${canonical(input)}`, result }];
  });
  // `r1` is the first: the handle that a person or a reader names a result by.
  const handled = rows.map((row, at) => ({ handle: `r${at + 1}`, ...row }));
  return rows.length === 0 ? [] : [{ heading: 'What your calls found', rows: handled }];
}

/** The form's words and reader while calls may be made. `left`: rounds, this one with them. */
export function lookForm(form: WrittenForm, tools: readonly ToolDefinition[], left: number): WrittenForm {
  const names = tools.map(({ name }) => name);
  const offered = tools.map(
    ({ name, description, parameters }) => `- ${name}: ${description} Its input: ${JSON.stringify(parameters)}`,
  );
  const how = [
    `Before you answer you may call a tool, ${left === 1 ? 'once' : `up to ${left} times, one at a time`}. To call one, write`,
    'nothing but JSON of this form: {"call": NAME, "input": {...}}. Otherwise write the answer. The tools:',
  ].join(' ');
  return {
    ...form,
    system: [...(form.system === null ? [] : [form.system]), [how, ...offered].join('\n')].join('\n\n'),
    // A grammar of the answer would keep it from calling.
    json: null,
    read(text) {
      const call = callIn(text);
      if (call === null) {
        const read = form.read(text);
        return read.ok ? { ok: true, value: { answer: read.value } satisfies Look } : read;
      }
      if (names.includes(call.tool)) return { ok: true, value: { call } satisfies Look };
      return { ok: false, reason: `there is no tool "${call.tool.slice(0, 60)}"; there are ${names.join(', ')}` };
    },
  };
}

/** Also in one fence; null: it is no call. */
function callIn(text: string): { tool: string; input: Record<string, unknown> } | null {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
  if (!bare.trim().startsWith('{')) return null;
  let said: unknown;
  try {
    said = JSON.parse(bare);
  } catch {
    return null;
  }
  if (!isRecord(said) || typeof said['call'] !== 'string') return null;
  if (Object.keys(said).some((key) => key !== 'call' && key !== 'input')) return null;
  const { input = {} } = said;
  return isRecord(input) ? { tool: said['call'], input } : null;
}
