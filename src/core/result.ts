import type { Failure } from './errors.ts';

/** What crosses a worker boundary or a port: a value, or a failure that kept its code. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail<T = never>(failure: Failure): Result<T> {
  return { ok: false, failure };
}
