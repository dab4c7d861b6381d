/** The calls that a model made: by the wire, as an object, or written as prose in one of the usual dialects. */
import { jsonrepair } from 'jsonrepair';
import type { ToolCall } from '../llm/provider.ts';
import { shortWhy } from './answer.ts';
import { climb, endedByItself, withoutThinking } from './ladder.ts';
import { isRecord } from '../tools/tool.ts';

export interface SaidCall {
  name: string;
  /** As it was written: the executor checks it. */
  arguments: unknown;
}
export type Calls = { ok: true; calls: SaidCall[]; why: string } | { ok: false; reason: string };

/** Calls of one answer that are read; the rest is left out. */
export const MOST_CALLS = 8;

/** Never throws. `names`: every tool there is, so that prose is not taken for a call. */
export function parseCalls(
  said: { content: string; tool_calls: readonly ToolCall[]; finish_reason: string },
  names: readonly string[],
): Calls {
  const whole = endedByItself(said.finish_reason);
  if (said.tool_calls.length > 0) {
    const calls = said.tool_calls.flatMap((call) => normal({ name: call.name, arguments: call.arguments }, whole));
    const cut = calls.length < said.tool_calls.length;
    if (cut) return { ok: false, reason: 'the arguments of a call are not a JSON object' };
    return { ok: true, calls: calls.slice(0, MOST_CALLS), why: whyOf(said.content, calls) };
  }

  const text = withoutThinking(said.content);
  const written = [...tagged(text, said.finish_reason), ...functionTags(text)].flatMap((call) => normal(call, whole));
  if (written.length > 0) return found(written, text);

  const climbed = climb(said.content, said.finish_reason);
  if (climbed.rung !== null) {
    const values = climbed.values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
    const calls = values.flatMap((value) => normal(value, whole));
    if (calls.length > 0) return found(calls, whyAmong(values));
  }
  const prose = whole ? proseCalls(text, names).flatMap((call) => normal(call, whole)) : [];
  if (prose.length > 0) return found(prose, '');
  return { ok: false, reason: climbed.rung === null ? climbed.reason : 'it calls no tool' };
}

function found(calls: SaidCall[], why: string): Calls {
  return { ok: true, calls: calls.slice(0, MOST_CALLS), why: whyOf(why, calls) };
}

/** `{name, arguments}`, `{tool, args}`, `{function: {name, parameters}}`, arguments as an object or a string of one. */
function normal(value: unknown, whole: boolean): SaidCall[] {
  if (!isRecord(value)) return [];
  if (isRecord(value['function'])) return normal(value['function'], whole);
  const name = value['tool'] ?? value['name'] ?? value['function'] ?? value['tool_name'];
  if (typeof name !== 'string' || name.trim() === '') return [];
  const given = value['arguments'] ?? value['parameters'] ?? value['args'] ?? value['input'] ?? {};
  const args = typeof given === 'string' ? fromString(given, whole) : given;
  return isRecord(args) ? [{ name: name.trim(), arguments: args }] : [];
}

function fromString(text: string, whole: boolean): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (!whole || !/\}\s*$/.test(text)) return undefined;
  }
  try {
    return JSON.parse(jsonrepair(text)) as unknown;
  } catch {
    return undefined;
  }
}

/** `<tool_call>{...}</tool_call>`, `<tool_call>` with tags for name and arguments, `[TOOL_CALLS] [...]`. */
function tagged(text: string, finishReason: string): unknown[] {
  const inside = [...text.matchAll(/<(tool_calls?|function_calls?)>([^]*?)<\/\1>/gi)].map((match) => match[2] ?? '');
  const mistral = /\[TOOL_CALLS\]\s*([^]*)$/i.exec(text)?.[1];
  const bodies = mistral === undefined ? inside : [...inside, mistral];
  return bodies.flatMap((body) => {
    const name = /<(?:name|tool_name)>([^<]*)<\//i.exec(body)?.[1];
    const args = /<(?:arguments|parameters)>([^]*?)<\/(?:arguments|parameters)>/i.exec(body)?.[1];
    if (name !== undefined) return [{ name, arguments: args ?? '{}' }];
    const climbed = climb(body, finishReason);
    if (climbed.rung === null) return [];
    return climbed.values.flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]));
  });
}

/** `<function=name>{...}</function>` and `<function=name><parameter=field>value</parameter></function>`. */
function functionTags(text: string): unknown[] {
  return [...text.matchAll(/<function=([\w.-]+)>([^]*?)<\/function>/gi)].map((match) => {
    const body = match[2] ?? '';
    const fields = [...body.matchAll(/<parameter=([\w.-]+)>\s*([^]*?)\s*<\/parameter>/gi)];
    const args = fields.length > 0 ? Object.fromEntries(fields.map((field) => [field[1] ?? '', field[2] ?? ''])) : body;
    return { name: match[1] ?? '', arguments: args };
  });
}

/** `search({"query": "x"})`, of tools that exist. */
function proseCalls(text: string, names: readonly string[]): unknown[] {
  return names.flatMap((name) => {
    const at = text.search(new RegExp(`(?<![\\w.])${escaped(name)}\\s*\\(\\s*[{)]`));
    if (at < 0) return [];
    const rest = text.slice(text.indexOf('(', at) + 1).trimStart();
    if (rest.startsWith(')')) return [{ name, arguments: {} }];
    const climbed = climb(rest, 'stop');
    return climbed.rung === null ? [] : [{ name, arguments: climbed.values[0] }];
  });
}

/** The short why before the calls of a text. */
export function whySaid(text: string): string {
  return shortWhy(withoutThinking(text).replace(/[{[<`][^]*$/, ''));
}

function whyOf(text: string, calls: readonly SaidCall[]): string {
  const said = whySaid(text);
  if (said !== '') return said;
  for (const { arguments: args } of calls) {
    if (!isRecord(args)) continue;
    const why = shortWhy(args['why'] ?? args['reasoning'] ?? args['reason']);
    if (why !== '') return why;
  }
  return '';
}

function whyAmong(values: readonly unknown[]): string {
  for (const value of values) if (isRecord(value) && typeof value['why'] === 'string') return value['why'];
  return '';
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
