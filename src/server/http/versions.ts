/** Records with a version: sent as ETag, checked by `If-Match`, changed by a patch that names some fields. */
import type { Context } from 'hono';
import type { Env } from '../deps.ts';
import { HttpError } from './http-error.ts';

export type Versioned<T> = T & { version: number };

/** The header of a route that honours it. */
export const IF_MATCH = { 'If-Match': 'The version that was read, in quotes; another one is 412.' };

/** Throws HttpError 412 when `If-Match` names another version than the row has. Without the header all is well. */
export function checkVersion(ifMatch: string | undefined, row: Versioned<{ id: string }>): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const wanted = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
  if (wanted.includes(String(row.version))) return;
  throw new HttpError('conflict', `"${row.id}" was changed by someone else in the meantime.`, {
    status: 412,
    details: { version: row.version },
  });
}

/** An answer with its row's version as ETag, for `If-Match`. */
export function tagged<T extends object>(c: Context<Env>, body: Versioned<T>): Response {
  c.header('ETag', `"${body.version}"`);
  return c.json(body);
}

/** The fields that a patch names, without those it leaves out. */
export function given<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const named = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
