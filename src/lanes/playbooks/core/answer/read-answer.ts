/** What a model wrote, as the step wants it (PB-30): a text or JSON, divided into outputs, as many as `count` says. */
import { Validator, type Schema } from '@cfworker/json-schema';
import { exceedsBytes } from '#core/utf8.ts';
import { divideAnswer } from '../division/divide.ts';
import type { Level } from '../division/parse.ts';
import type { Frame } from '../tokens/scopes.ts';
import { isMapping, type Mapping, type Value } from '../value.ts';

export interface AnswerForm {
  kind: 'text' | 'json';
  /** JSON of this schema. */
  schema: Mapping | null;
  division: Level | null;
  /** Outputs that must come; null: any number. */
  count: number | null;
}

/** PB-30: a division means JSON unless it is `lines`. */
export function answerForm(answer: Value, division: Level | null, count: number | null): AnswerForm {
  const schema = isMapping(answer) ? answer : null;
  const divided = division !== null && division.kind !== 'lines';
  const kind = schema !== null || answer === 'json' || divided ? 'json' : 'text';
  return { kind, schema, division, count };
}

export type AnswerRead = { ok: true; value: Value } | { ok: false; reason: string };

/** Bytes of an answer. */
export const MOST_ANSWER = 16 * 1024 * 1024;

/** The reader, for answers that are not too long. */
export function withinBytes(read: (text: string) => AnswerRead): (text: string) => AnswerRead {
  return (text) => (exceedsBytes(text, MOST_ANSWER) ? { ok: false, reason: 'it is longer than 16 MiB' } : read(text));
}

/** A reader of answers; never throws. */
export function answerReader({ kind, schema, division, count }: AnswerForm): (text: string) => AnswerRead {
  const validator = schema === null ? null : new Validator(schema as Schema, '2020-12', true);
  return (text) => {
    const value = kind === 'text' ? text : jsonIn(text);
    if (value === undefined) return { ok: false, reason: 'it is not JSON and nothing else' };
    const wrong = validator?.validate(value);
    if (wrong?.valid === false) {
      const [error] = wrong.errors;
      return {
        ok: false,
        reason: `it does not fit the schema: ${error?.instanceLocation ?? '#'} ${error?.error ?? ''}`,
      };
    }
    let outputs: Frame[];
    try {
      outputs = divideAnswer(value, division);
    } catch (error) {
      return { ok: false, reason: error instanceof Error ? error.message : 'it cannot be divided' };
    }
    if (count !== null && outputs.length !== count)
      return { ok: false, reason: `it has ${outputs.length} parts, and ${count} are wanted` };
    return { ok: true, value };
  };
}

/** JSON, alone or in one fence; undefined where it is anything else. */
function jsonIn(text: string): Value | undefined {
  const fenced = /^```[\w-]*[ \t]*\r?\n([^]*?)\r?\n?```$/.exec(text.trim())?.[1];
  try {
    return JSON.parse(fenced ?? text) as Value;
  } catch {
    return undefined;
  }
}
