import { toFailure, type Failure } from './errors.ts';

/** What crosses a worker boundary or a port: a value, or a failure that kept its code. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail<T = never>(failure: Failure): Result<T> {
  return { ok: false, failure };
}

/** What the work answers; what it throws, as a failure that keeps its code. `subject`: what it is about. */
export async function tried<T>(work: () => Promise<Result<T>>, subject?: string): Promise<Result<T>> {
  try {
    return await work();
  } catch (thrown) {
    return fail(toFailure(thrown, subject));
  }
}

/** As `tried`, of work that answers a value. */
export const answered = <T>(work: () => Promise<T>): Promise<Result<T>> => tried(async () => ok(await work()));
