/** The rows of an import, checked one by one; what is wrong is collected by row, so that a person can mend the file. */
import * as v from 'valibot';
import type { ImportCounts } from '#core/sync/fields.ts';
import { describeIssue } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';

/** One thing wrong with the file. */
export interface Problem {
  /** `conflict` for what is there twice, `invalid` for everything else. */
  code: 'invalid' | 'conflict';
  /** `tracks[17] "id": why`. */
  message: string;
}

/** Problems that an answer names; the rest is counted. */
const NAMED_PROBLEMS = 20;

/** The rows of one list that are right and have an id of their own; what is wrong with the others goes to `problems`. */
export function checkList<S extends v.GenericSchema<unknown, { id: string }>>(
  list: string,
  schema: S,
  rows: readonly unknown[],
  problems: Problem[],
): v.InferOutput<S>[] {
  const good: v.InferOutput<S>[] = [];
  const seen = new Map<string, number>();
  rows.forEach((row, at) => {
    const result = v.safeParse(schema, row, { abortEarly: true });
    if (!result.success) {
      problems.push({ code: 'invalid', message: describeIssue(`${list}[${at}]`, result.issues[0]) });
      return;
    }
    const first = seen.get(result.output.id);
    if (first !== undefined) {
      problems.push({
        code: 'conflict',
        message: `${list}[${at}] "id": "${result.output.id}" stands in ${list}[${first}] already`,
      });
      return;
    }
    seen.set(result.output.id, at);
    good.push(result.output);
  });
  return good;
}

/** Throws HttpError 422 `invalid` or 409 `conflict` that names the problems, if there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const named = problems.slice(0, NAMED_PROBLEMS).map((problem) => problem.message);
  const rest = problems.length - named.length;
  const message = `Nothing was imported. ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
  const conflict = problems.every((problem) => problem.code === 'conflict');
  throw new HttpError(conflict ? 'conflict' : 'invalid', message, { status: conflict ? 409 : 422 });
}

/** What came of `all` rows of a list, of which these were written. */
export function countWrites(all: number, writes: readonly { before: object | null }[]): ImportCounts {
  const created = writes.filter(({ before }) => before === null).length;
  return { created, updated: writes.length - created, unchanged: all - writes.length };
}
