import type { CompletionResponse } from '../llm/provider.ts';
import { parseAnswer, shortWhy } from '../prompt/answer.ts';
import { parseCalls, whySaid } from '../prompt/calls.ts';
import { MOST_FORM, parseForm } from '../prompt/form.ts';
import { climb, withoutThinking } from '../prompt/ladder.ts';
import type { Form } from './definition.ts';
import type { JournalDraft } from './workflow.ts';

/** What was asked for: one of the letters, calls of these tools, or a form. */
export type Asked = { letters: readonly string[] } | { names: readonly string[] } | { form: Form };
type Kept = Extract<JournalDraft, { kind: 'model_ended' }>;
type Said = Pick<Kept, 'content' | 'tool_calls' | 'finish_reason'>;

/** Characters of an answer that is read, calls included. */
const MOST_KEPT = 8000;
/** Characters of an answer that are read: to take thinking out costs the square of its length at worst. */
const MOST_READ = 40_000;
/** Characters that are kept of an answer that could not be read. */
const MOST_UNREAD = 300;
/** Characters of one text in such an answer's JSON: more than any letter, handle or name has. */
const MOST_TEXT = 60;

/**
 * An answer as the journal keeps it: the letter and its short why, or the calls. Prose around them is thinking, tagged or
 * not, and is neither stored nor shown; of an answer that cannot be read a beginning stays, from which nothing can be
 * read either. What was capped counts as cut, so that nobody repairs it. What is read later is read from here, before a
 * crash and after.
 */
export function keepAnswer(call: string, response: CompletionResponse, asked: Asked): Kept {
  const written = 'form' in asked ? asked.form.written : undefined;
  const mostRead = written === undefined ? MOST_READ : 2 * written.most;
  const spoken = withoutThinking(response.message.content.slice(0, mostRead)).trim();
  // The blanks of a written answer are its own.
  const content = written === undefined ? spoken.replace(/\s{4,}/g, '   ') : spoken;
  const calls = JSON.stringify(response.message.tool_calls ?? []).length <= MOST_KEPT;
  const most = written?.most ?? ('form' in asked ? MOST_FORM : MOST_KEPT);
  const long = content.length > most || response.message.content.length > mostRead || !calls;
  const said: Said = {
    content: content.slice(0, most),
    tool_calls: calls ? (response.message.tool_calls ?? []) : [],
    finish_reason: long ? 'max_tokens' : response.finish_reason,
  };
  return {
    kind: 'model_ended',
    call,
    ...said,
    ...keptOf(said, asked),
    usage: {
      tokens_in: count(response.usage.tokens_in),
      tokens_out: count(response.usage.tokens_out),
      milliseconds: count(response.usage.milliseconds) ?? 0,
    },
    first_token_logprobs: response.first_token_logprobs ?? null,
  };
}

function keptOf(said: Said, asked: Asked): Pick<Kept, 'content' | 'tool_calls'> {
  if ('letters' in asked) return keptVote(said, asked.letters);
  return 'form' in asked ? keptForm(said, asked.form) : keptCalls(said, asked.names);
}

/** The form alone, without the fields that it does not have. */
function keptForm(said: Said, form: Form): Pick<Kept, 'content' | 'tool_calls'> {
  const read = parseForm(said.content, said.finish_reason, form);
  if (!read.ok) return { content: unread(said), tool_calls: [] };
  if (form.written !== undefined) return { content: said.content, tool_calls: [] };
  return { content: typeof read.value === 'string' ? read.value : JSON.stringify(read.value), tool_calls: [] };
}

function keptVote(said: Said, letters: readonly string[]): Pick<Kept, 'content' | 'tool_calls'> {
  const read = parseAnswer(said.content, said.finish_reason, letters);
  if (!read.ok) return { content: unread(said), tool_calls: [] };
  return { content: JSON.stringify({ answer: read.letter, why: read.why }), tool_calls: [] };
}

function keptCalls(said: Said, names: readonly string[]): Pick<Kept, 'content' | 'tool_calls'> {
  const read = parseCalls(said, names);
  // Those of the wire are data already.
  if (said.tool_calls.length > 0)
    return read.ok
      ? { content: whySaid(said.content), tool_calls: said.tool_calls }
      : { content: '', tool_calls: said.tool_calls.map((call) => ({ ...call, arguments: short(call.arguments) })) };
  if (!read.ok) return { content: unread(said), tool_calls: [] };
  // A why that comes from the arguments is found there again.
  const why = whySaid(read.why) === read.why ? { why: read.why } : {};
  return { content: JSON.stringify(read.calls.map((one) => ({ ...one, ...why }))), tool_calls: [] };
}

/** Short, and unreadable for the same reason: the JSON that was no answer, or words without anything that looks like some. */
function unread({ content, finish_reason }: Said): string {
  if (content.length <= MOST_UNREAD) return content;
  const climbed = climb(content, finish_reason);
  if (climbed.rung !== null) {
    const json = climbed.values.map((value) => JSON.stringify(short(value))).join('\n');
    if (json.length <= MOST_UNREAD) return json;
  }
  return `${content.slice(0, MOST_UNREAD - 1).replace(/[^\p{L}\p{N}\s.,;:'-]/gu, ' ')}…`;
}

function short(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MOST_TEXT ? `${shortWhy(value).slice(0, MOST_TEXT)}…` : value;
  if (Array.isArray(value)) return value.map(short);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, short(inner)]));
}

function count(value: number | null): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
