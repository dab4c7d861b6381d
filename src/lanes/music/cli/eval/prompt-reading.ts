/**
 * The agent's prompt as a model finds it: rows of data between two lines that carry a nonce, one JSON value a line, the
 * options with a letter (choice) or a handle (tools) in front. Core: src/core/agent/prompt/envelope.ts.
 */
import type { Message } from '#core/agent/llm/provider.ts';

type Row = Readonly<Record<string, unknown>>;

interface ReadOption {
  /** `A`, or a handle such as `T1`. */
  name: string;
  row: Row;
}

export interface ReadPrompt {
  options: ReadOption[];
  /** Rows of the other sections, and of results of tools. */
  rows: Row[];
  /** What strangers wrote, as far as it reached the prompt: values, never the names of fields. */
  heard: string;
}

const OPTION = /^([A-Z][A-Z0-9]{0,4})\)? (\{.*\})$/;

/** Reads the first message of a person; what follows it are repairs and results. */
export function readPrompt(messages: readonly Message[]): ReadPrompt {
  const options: ReadOption[] = [];
  const rows: Row[] = [];
  const heard: string[] = [];
  const first = messages.find((message) => message.role === 'user')?.content ?? '';
  for (const line of dataOf(first)) {
    const [, name = '', json] = OPTION.exec(line) ?? [];
    const row = rowOf(json ?? line);
    if (row === null) {
      if (!line.startsWith('# ')) heard.push(line);
      continue;
    }
    if (json === undefined) rows.push(row);
    else options.push({ name, row });
    heard.push(...Object.values(row).map(String));
  }
  return { options, rows, heard: heard.join('\n') };
}

/** The lines between the fence; whatever comes after a line that ends it is not data any more. */
export function dataOf(text: string): string[] {
  const nonce = /^=== DATA (\S+)$/m.exec(text)?.[1];
  if (nonce === undefined) return [];
  const from = text.indexOf(`=== DATA ${nonce}\n`) + `=== DATA ${nonce}\n`.length;
  const to = text.indexOf(`\n=== END ${nonce}`, from);
  return text.slice(from, to < 0 ? undefined : to).split('\n');
}

function rowOf(text: string): Row | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** How a simple reader would choose: by the numbers that are beside each option, and nothing else. */

/** Below this an option is not taken to be right; two that are this near to each other cannot be told apart. */
const LEAST = 0.75;
const TIE = 0.02;

type Reading = { kind: 'option'; option: ReadOption } | { kind: 'none' } | { kind: 'tie' };

/** The option that reads best; none of them, or two that read alike. */
export function readPlainly({ options }: ReadPrompt): Reading {
  const [best, next] = options
    .map((option) => ({ option, score: scoreOf(option.row) }))
    .sort((a, b) => b.score - a.score);
  if (best === undefined || best.score < LEAST) return { kind: 'none' };
  return next !== undefined && best.score - next.score < TIE
    ? { kind: 'tie' }
    : { kind: 'option', option: best.option };
}

/** 0..1: the mean of what can be compared. */
function scoreOf(row: Row): number {
  const scores = [
    share(row['title_alike']),
    nearness(row['length_differs']),
    part(row['files_that_fit']),
    share(row['lengths_that_fit']),
  ].filter((score) => score !== null);
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** `85 %` -> 0.85. */
function share(value: unknown): number | null {
  const percent = /^(\d+) ?%$/.exec(String(value))?.[1];
  return percent === undefined ? null : Number(percent) / 100;
}

/** `+0.4 s` -> 1, 5 s -> 0.5, 10 s and more -> 0. */
function nearness(value: unknown): number | null {
  const seconds = /^[+\-\u2212\u00b1]?(\d+(?:\.\d+)?) ?s$/.exec(String(value))?.[1];
  return seconds === undefined ? null : Math.max(0, 1 - Number(seconds) / 10);
}

/** `11 of 12` -> 0.92. */
function part(value: unknown): number | null {
  const [, fit, all] = /^(\d+) of (\d+)$/.exec(String(value)) ?? [];
  return fit === undefined || all === undefined || all === '0' ? null : Number(fit) / Number(all);
}
