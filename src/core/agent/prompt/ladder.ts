/**
 * From what a model wrote to JSON, rung by rung; the first that holds wins:
 *
 *   exact      the text is JSON
 *   fence      a fenced block holds it
 *   balanced   an object (or list) in prose
 *   repaired   it is nearly JSON: only when the model itself stopped, and only when the text ends closed
 *
 * AGENT-13 an answer that was cut is never repaired: half a letter, or half a handle, is another one.
 */
import { jsonrepair } from 'jsonrepair';

export type Rung = 'exact' | 'fence' | 'balanced' | 'repaired';
export type Climbed = { rung: Rung; values: unknown[] } | { rung: null; reason: string };

/** Characters that are read; nothing that fits a schema is longer. */
const MOST_TEXT = 20_000;
/** Objects that are tried in prose. */
const MOST_OBJECTS = 16;

/** Whether the model ended by itself; anything else was cut. */
export function endedByItself(finishReason: string): boolean {
  return finishReason === 'stop' || finishReason === 'tool_calls';
}

/**
 * Every JSON value that the first holding rung finds; never throws. Scalars count on the first rung only. `most`:
 * characters that are read.
 */
export function climb(raw: string, finishReason: string, most = MOST_TEXT): Climbed {
  const text = withoutThinking(raw.slice(0, most)).trim();
  if (text === '') return { rung: null, reason: raw.trim() === '' ? 'it is empty' : 'it holds no answer' };
  const whole = endedByItself(finishReason);

  const exact = parse(text);
  if (exact !== undefined) return { rung: 'exact', values: [exact] };

  const fenced = [...text.matchAll(/```[\w-]*[ \t]*\r?\n?([^]*?)```/g)].flatMap((match) => structure(match[1] ?? ''));
  if (fenced.length > 0) return { rung: 'fence', values: fenced };

  const found = balancedParts(text);
  const balanced = found.parts.flatMap(structure);
  // Cut in the middle of a second object: which of the two was meant is not known.
  if (balanced.length > 0 && (whole || !found.open)) return { rung: 'balanced', values: balanced };

  if (!whole) return { rung: null, reason: 'it was cut off before its end' };
  const repaired = repair(text, found.parts);
  return repaired === undefined
    ? { rung: null, reason: 'it holds no JSON object' }
    : { rung: 'repaired', values: [repaired] };
}

/**
 * Thinking that a server let through is not part of the answer. Unclosed, nothing after it is. In time that grows with the
 * length of the text alone.
 */
export function withoutThinking(text: string): string {
  if (!/<\/?(?:think|thinking|reasoning)>/i.test(text)) return text;
  const lower = text.toLowerCase();
  const opening = /<(think|thinking|reasoning)>/g;
  let kept = '';
  let at = 0;
  for (let open = opening.exec(lower); open !== null; open = opening.exec(lower)) {
    const end = `</${open[1] ?? ''}>`;
    const close = lower.indexOf(end, opening.lastIndex);
    kept += text.slice(at, open.index);
    if (close < 0) {
      at = text.length;
      break;
    }
    kept += ' ';
    at = close + end.length;
    opening.lastIndex = at;
  }
  kept += text.slice(at);
  return kept.replace(/^[^]*<\/(?:think|thinking|reasoning)>/i, ' ');
}

function repair(text: string, parts: string[]): unknown {
  const fence = /```[\w-]*[ \t]*\r?\n?([^]*?)```/.exec(text)?.[1];
  const start = text.search(/[{[]/);
  const candidates = [fence?.trim(), ...parts, start >= 0 ? text.slice(start) : undefined];
  for (const candidate of candidates) {
    if (candidate === undefined || !/^[{[][^]*[}\]]$/.test(candidate)) continue;
    try {
      const [value] = structure(jsonrepair(candidate));
      if (value !== undefined) return value;
    } catch {
      // Beyond repair: the next candidate, or none.
    }
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function structure(text: string): unknown[] {
  const value = parse(text.trim());
  return typeof value === 'object' && value !== null ? [value] : [];
}

/** The outermost `{...}` and `[...]` of a text, strings respected; `open`: the last one never closed. */
function balancedParts(text: string): { parts: string[]; open: boolean } {
  const parts: string[] = [];
  let at = 0;
  while (parts.length < MOST_OBJECTS) {
    const next = text.slice(at).search(/[{[]/);
    if (next < 0) return { parts, open: false };
    const start = at + next;
    const end = closingOf(text, start);
    if (end < 0) return { parts, open: true };
    parts.push(text.slice(start, end));
    at = end;
  }
  return { parts, open: false };
}

function closingOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return -1;
}
