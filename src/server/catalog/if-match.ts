import { HttpError } from '../http/http-error.ts';

/** Throws HttpError 412 when `If-Match` names another version than the row has. Without the header all is well. */
export function checkVersion(ifMatch: string | undefined, row: { id: string; version: number }): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const wanted = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
  if (wanted.includes(String(row.version))) return;
  throw new HttpError('conflict', `"${row.id}" was changed by someone else in the meantime.`, {
    status: 412,
    details: { version: row.version },
  });
}
