/** Whether this browser takes uploads now. The person's own files go first, and so do their wishes. */
import type { AccessionDb } from '../db.ts';
import { readPaused } from '../job-store.ts';
import { readSyncState } from '../meta.ts';
import { readSettings } from '../settings.ts';
import { readUploadsRest, type WhyNot } from './state.ts';

/** Reasons for which the upload in hand is given back at once; for the others it may be finished, or waited for. */
export const STOPS: readonly WhyNot[] = ['off', 'saving', 'resting', 'paused'];

/** A rest lies at most this far ahead: one beyond it comes from a clock that was wrong. Milliseconds. */
export const LONGEST_REST_MS = 3_600_000;

export interface GateDeps {
  db: AccessionDb;
  now(): number;
  /** The browser was asked to save data. */
  savesData(): boolean;
  /** The copy of the server's records is whole. */
  isComplete(): Promise<boolean>;
  /** Whether the server lets this token work. */
  mayWork(): Promise<boolean>;
}

/** Null: it does. */
export async function whyNot({ db, now, savesData, isComplete, mayWork }: GateDeps): Promise<WhyNot | null> {
  const { work_on_uploads } = await readSettings(db);
  if (!work_on_uploads) return 'off';
  if (savesData()) return 'saving';
  const rest = (await readUploadsRest(db)) - now();
  if (rest > 0 && rest <= LONGEST_REST_MS) return 'resting';
  if (await readPaused(db)) return 'paused';
  if ((await readSyncState(db))?.online !== true) return 'offline';
  if (!(await isComplete())) return 'loading';
  if (!(await mayWork())) return 'not_allowed';
  return (await hasOwnWork(db)) ? 'busy' : null;
}

/** Something that was dropped here is to be read, matched, asked of the model or converted. */
export async function hasOwnWork(db: AccessionDb): Promise<boolean> {
  const open = db.jobs.where('status').anyOf('PENDING', 'PROCESSING', 'CONVERTING');
  return (await open.filter((job) => job.phase !== 'waiting' && job.paused !== true).first()) !== undefined;
}
