/** What a model wrote in a form: JSON of the definition's own schema, or plain text. */
import * as v from 'valibot';
import type { Message } from '../llm/provider.ts';
import type { Form, WrittenForm } from '../workflow/definition.ts';
import { cleanProse } from './clean.ts';
import { block, dataRule, prepare, tokensOf, promptTokens, type Room } from './envelope.ts';
import { climb, endedByItself, withoutThinking } from './ladder.ts';

/** Characters of a filled form that are read. */
export const MOST_FORM = 32_000;

export interface FormEnvelope {
  messages: Message[];
  /** Tokens, estimated. */
  tokens: number;
  /** false: even at its shortest the brief does not fit the context. */
  fits: boolean;
}

/** Pure: the same for the same form and seed. */
export function formEnvelope(form: Form, seed: number, room: Room): FormEnvelope {
  if (form.written !== undefined) return writtenEnvelope(form, form.written, seed, room);
  const how =
    form.answer === null
      ? 'Answer with the text and nothing else.'
      : `Answer with one JSON object and nothing else. It fits this JSON Schema:\n${JSON.stringify(form.answer.json)}`;
  const system = (nonce: string): string => [form.instructions.trim(), dataRule(nonce), how].join('\n\n');
  const brief = { ...form.brief, choices: [] };
  const { fitted, nonce } = prepare(brief, system(''), seed, room, true);
  const user = block(brief, fitted, nonce, [], form.answer === null ? 'Write the text.' : 'Write the JSON object.');
  const messages: Message[] = [
    { role: 'system', content: system(nonce) },
    { role: 'user', content: user },
  ];
  const tokens = tokensOf(messages);
  return { messages, tokens, fits: fitted.fits && tokens <= promptTokens({ ...room, squeeze: 0 }) };
}

/** The words as they were given, cleaned; what tools found stands behind them, fenced. */
function writtenEnvelope(form: Form, { system, user }: WrittenForm, seed: number, room: Room): FormEnvelope {
  const said = cleanProse(user);
  const found =
    form.brief.sections.length === 0 ? null : prepare({ ...form.brief, choices: [] }, said, seed, room, true);
  const first = [...(system === null ? [] : [cleanProse(system)]), ...(found === null ? [] : [dataRule(found.nonce)])];
  const last =
    found === null
      ? said
      : `${said}\n\n${block({ ...form.brief, choices: [] }, found.fitted, found.nonce, [], form.instructions)}`;
  const messages: Message[] = [
    ...(first.length === 0 ? [] : [{ role: 'system' as const, content: first.join('\n\n') }]),
    { role: 'user', content: last },
  ];
  const tokens = tokensOf(messages);
  return { messages, tokens, fits: (found?.fitted.fits ?? true) && tokens <= promptTokens({ ...room, squeeze: 0 }) };
}

export type Filled = { ok: true; value: unknown } | { ok: false; reason: string };

/** Never throws. An answer that was cut is never repaired, and two different ones are none (AGENT-72). */
export function parseForm(
  text: string,
  finishReason: string,
  { answer, written }: Pick<Form, 'answer' | 'written'>,
): Filled {
  if (written !== undefined) {
    const said = withoutThinking(text).trim();
    if (said === '') return { ok: false, reason: 'it is empty' };
    return endedByItself(finishReason) ? written.read(said) : { ok: false, reason: 'it was cut off before its end' };
  }
  if (answer === null) {
    const said = withoutThinking(text).trim();
    if (said === '') return { ok: false, reason: 'it is empty' };
    return endedByItself(finishReason)
      ? { ok: true, value: said }
      : { ok: false, reason: 'it was cut off before its end' };
  }
  const climbed = climb(text, finishReason, MOST_FORM);
  if (climbed.rung === null) return { ok: false, reason: climbed.reason };
  const read = climbed.values.map((value) => v.safeParse(answer.schema, value));
  const fitting = new Map(read.flatMap((one) => (one.success ? [[JSON.stringify(one.output), one.output]] : [])));
  if (fitting.size > 1) return { ok: false, reason: 'it holds more than one answer' };
  for (const value of fitting.values()) return { ok: true, value };
  const [first] = read;
  return {
    ok: false,
    reason: first === undefined || first.success ? 'it holds no JSON object' : whatIsWrong(first.issues[0]),
  };
}

function whatIsWrong(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}
