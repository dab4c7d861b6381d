/** A value against a schema whose long lists are checked row by row: the same outcome, with turns for others between. */
import * as v from 'valibot';
import type { Turns } from '../turns.ts';
import { LongList, type InParts } from './long-parts.ts';

/** Rows of a list that is worth it. */
const LONG_LIST = 100;

type Checked<T> = { output: T } | { issue: v.BaseIssue<unknown>; path: string | null };

/** What valibot's schemas have that are made of others. */
interface Made extends v.GenericSchema {
  type: string;
  entries?: Record<string, Made>;
  item?: Made;
  wrapped?: Made;
  pipe?: readonly [Made, ...v.PipeAction<unknown, unknown, v.BaseIssue<unknown>>[]];
}

/**
 * The first issue with the path of the row that it is in, or the output.
 * @param value the caller's own, and only for this: rows of its lists are replaced by what the schema makes of them; of a
 *   LongList each row is made anew, whenever it is asked for
 */
export async function checkInTurns<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  turns: Turns,
): Promise<Checked<InParts<v.InferOutput<S>>>> {
  const object = basis(schema as Made);
  const short: Record<string, Made> = {};
  const members: Record<string, unknown> = isRecord(value) ? { ...value } : {};
  for (const [key, entry] of Object.entries((isRecord(value) && object.entries) || {})) {
    const list = members[key];
    const item = itemOf(entry);
    if (item === null) continue;
    if (list instanceof LongList) {
      short[key] = checkedList(entry);
      // Any row will do: none is read for it.
      if (item.type === 'unknown') continue;
      const issue = await firstIssue(item, list, turns);
      if (issue !== null) return { issue: issue.issue, path: `${key}.${issue.at}` };
      members[key] = list.as((row) => v.parse(item, row));
      continue;
    }
    if (!Array.isArray(list) || list.length < LONG_LIST) continue;
    // In their place: both lists at once would be twice the memory.
    for (let at = 0; at < list.length; at += 1) {
      const row = v.safeParse(item, list[at], { abortEarly: true });
      if (!row.success) return { issue: row.issues[0], path: `${key}.${at}` };
      list[at] = row.output;
      await turns.rest();
    }
    short[key] = checkedList(entry);
  }
  const isAsWritten = Object.keys(short).length === 0;
  const rest = isAsWritten ? schema : (withEntries(schema as Made, short) as unknown as S);
  const result = v.safeParse(rest, isAsWritten ? value : members, { abortEarly: true });
  if (!result.success) return { issue: result.issues[0], path: null };
  // Its lists are lists, or were LongLists before.
  return { output: result.output as InParts<v.InferOutput<S>> };
}

/** Looks at every row and keeps none. */
async function firstIssue(
  item: Made,
  rows: LongList,
  turns: Turns,
): Promise<{ issue: v.BaseIssue<unknown>; at: number } | null> {
  let at = 0;
  for (const value of rows) {
    const row = v.safeParse(item, value, { abortEarly: true });
    if (!row.success) return { issue: row.issues[0], at };
    at += 1;
    await turns.rest();
  }
  return null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a pipe its first schema. */
const basis = (schema: Made): Made => schema.pipe?.[0] ?? schema;

const isOptional = ({ type }: Made): boolean => ['optional', 'exact_optional', 'nullable', 'nullish'].includes(type);

/** The schema of a list's rows; null for what is no list. */
function itemOf(entry: Made): Made | null {
  if (isOptional(entry)) return entry.wrapped === undefined ? null : itemOf(entry.wrapped);
  const list = basis(entry);
  return list.type === 'array' ? (list.item ?? null) : null;
}

/** The list's schema without that of its rows: what else is asked of it (its length) is still asked. */
function checkedList(entry: Made): Made {
  if (isOptional(entry) && entry.wrapped !== undefined) return checkedList(entry.wrapped);
  const any = v.custom<unknown[]>((list) => Array.isArray(list) || list instanceof LongList) as unknown as Made;
  return repiped(any, entry);
}

function withEntries(schema: Made, entries: Record<string, Made>): Made {
  const object = basis(schema);
  return repiped({ ...object, entries: { ...object.entries, ...entries } }, schema);
}

/** `first` with what is behind the first schema of another one's pipe. */
function repiped(first: Made, { pipe }: Made): Made {
  if (pipe === undefined) return first;
  const [, ...actions] = pipe;
  const whole = Reflect.apply(v.pipe, null, [first, ...actions]) as unknown;
  return whole as Made;
}
