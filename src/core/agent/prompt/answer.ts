/** What the model answered on a ballot. */
import { cleanText } from './clean.ts';
import { climb, endedByItself, withoutThinking } from './ladder.ts';
import type { JsonSchema, ToolDefinition } from '../llm/provider.ts';

/** The two shapes in which a model says what it wants. Every one of them compiles in a grammar engine. */

/** Characters of a why: one or two sentences. */
const WHY_LENGTH = 300;
export const NONE = 'NONE';
export const ASK = 'ASK';

const WHY = { type: 'string', maxLength: WHY_LENGTH };

/** *choice*: a letter of the ballot, NONE of them, or ASK a person. */
export function choiceSchema(letters: readonly string[]): { name: string; schema: JsonSchema } {
  return {
    name: 'choice',
    schema: {
      type: 'object',
      properties: { answer: { type: 'string', enum: [...letters, NONE, ASK] }, why: WHY },
      required: ['answer', 'why'],
      additionalProperties: false,
    },
  };
}

/** *tools* without calls of the wire's own: one call as an object. `tools` must not be empty. */
export function actionSchema(tools: readonly ToolDefinition[]): { name: string; schema: JsonSchema } {
  const shapes = tools.map((tool) => ({
    type: 'object',
    properties: { tool: { type: 'string', enum: [tool.name] }, arguments: tool.parameters, why: WHY },
    required: ['tool', 'arguments', 'why'],
    additionalProperties: false,
  }));
  const [only] = shapes;
  return { name: 'action', schema: shapes.length === 1 && only ? only : { anyOf: shapes } };
}

export type Answer = { ok: true; letter: string; why: string } | { ok: false; reason: string };

/** `letter` is one of `letters`, NONE or ASK, whatever its case. Never throws. */
export function parseAnswer(text: string, finishReason: string, letters: readonly string[]): Answer {
  const bare = letterIn(withoutThinking(text), letters);
  if (bare !== null && endedByItself(finishReason)) return { ok: true, letter: bare, why: '' };

  const climbed = climb(text, finishReason);
  if (climbed.rung === null) return { ok: false, reason: climbed.reason };
  const answers = climbed.values.flatMap((value) => answerIn(value, letters));
  const [first] = answers;
  if (!first) return { ok: false, reason: `"answer" is none of ${[...letters, NONE, ASK].join(', ')}` };
  if (answers.some((answer) => answer.letter !== first.letter))
    return { ok: false, reason: 'it holds more than one answer' };
  return { ok: true, ...first };
}

/** The short why, as it may be kept and shown. */
export function shortWhy(value: unknown): string {
  return typeof value === 'string' ? cleanText(value.replace(/\s+/g, ' '), WHY_LENGTH).text : '';
}

function answerIn(value: unknown, letters: readonly string[]): { letter: string; why: string }[] {
  if (typeof value === 'string') {
    const letter = letterIn(value, letters);
    return letter === null ? [] : [{ letter, why: '' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const fields = Object.entries(value);
  const answer = fields.find(([name]) => /^(answer|choice|option|letter)$/i.test(name))?.[1];
  const letter = typeof answer === 'string' ? letterIn(answer, letters) : null;
  if (letter === null) return [];
  return [{ letter, why: shortWhy(fields.find(([name]) => /^(why|reason|reasoning)$/i.test(name))?.[1]) }];
}

/** `b`, `B)`, `Option B`, `(B).` are all B; anything longer is no letter. */
function letterIn(text: string, letters: readonly string[]): string | null {
  const name = /^\W*(?:option\s+)?([a-z]{1,4})\W*$/i.exec(text.slice(0, 40).trim())?.[1]?.toUpperCase();
  if (name === undefined || text.trim().length > 40) return null;
  return letters.includes(name) || name === NONE || name === ASK ? name : null;
}
