/** When the browser that works on a file was last heard of. */
import type { RemoteJobRow } from '#adapters/browser/db.ts';
import { isFinished } from '#core/job/job.ts';

/** A browser that works says so every other minute; after this it has gone. Milliseconds. */
const GONE_MS = 300_000;

type Heard = Pick<RemoteJobRow, 'status' | 'heard_at' | 'on_server'>;

/** Whether its browser has gone in the middle of the work. What the server works on has none. */
export const isGone = ({ status, heard_at, on_server }: Heard, now: number): boolean =>
  !isFinished({ status }) && on_server !== true && heard_at != null && now - heard_at >= GONE_MS;

/** `last heard 7 min ago`; empty while its browser is there. */
export function heardWords(job: Heard, now: number): string {
  if (!isGone(job, now) || job.heard_at == null) return '';
  const minutes = Math.floor((now - job.heard_at) / 60_000);
  if (minutes < 120) return `last heard ${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `last heard ${hours} h ago` : `last heard ${Math.floor(hours / 24)} days ago`;
}
