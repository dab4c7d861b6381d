/** Reading JSON of which nothing is known. */
import { isRecord } from '#core/agent/tools/tool.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The object there, or one without fields. */
export function objectIn(value: unknown): Json {
  return isRecord(value) ? value : {};
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A count of tokens, or null. */
export function countIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** A JSON value, or undefined where the text is none (JSON itself has no undefined). */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
