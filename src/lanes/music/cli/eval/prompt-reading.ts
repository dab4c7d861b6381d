/**
 * The agent's prompt as a model finds it: rows of data between two lines that carry a nonce, one JSON value a line, the
 * options with a letter (choice) or a handle (tools) in front. Core: src/core/agent/prompt/envelope.ts.
 */
import type { Message } from '#core/agent/llm/provider.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface ReadOption {
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

/** The lines between the fence; whatever stands after a line that ends it is not data any more. */
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
