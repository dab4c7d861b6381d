/** How far an album is on its way, so that a kill can be aimed at each part of it. */
import type { AppRows } from './app-rows.ts';

export const STAGES = [
  'copying',
  'unpacking',
  'probing',
  'matching',
  'converting',
  'enqueued',
  'publishing',
  'done',
] as const;
export type Stage = (typeof STAGES)[number];

/** A kill: so many milliseconds after the album has come this far. */
export interface Kill {
  stage: Stage;
  delayMs: number;
  /** The page is only loaded anew: its workers end, the browser goes on. */
  reload?: boolean;
}

const isPast = (wanted: Stage, reached: Stage): boolean => STAGES.indexOf(reached) >= STAGES.indexOf(wanted);

/** True when the album has come so far, or farther. */
export function hasReached(wanted: Stage, rows: AppRows, tracks: number): boolean {
  return isPast(wanted, stageOf(rows, tracks));
}

/** The farthest that any of its files has come. */
export function stageOf({ batches, jobs, outbox }: AppRows, tracks: number): Stage {
  const phases = new Set(jobs.map((job) => job.phase));
  const published = jobs.filter((job) => job.phase === 'published').length;
  if (published >= tracks) return 'done';
  if (published > 0 || outbox.some(({ state }) => state === 'uploading' || state === 'committing')) return 'publishing';
  if (outbox.length > 0) return 'enqueued';
  if (phases.has('converting') || phases.has('approved')) return 'converting';
  if (phases.has('searching')) return 'matching';
  if (phases.has('probing') || phases.has('grouping')) return 'probing';
  return jobs.length > 0 || batches.some(({ archives }) => archives.length > 0) ? 'unpacking' : 'copying';
}

/** True when everything that was dropped came to nothing: the page was closed while the drop itself was copied. */
export function wantsAnotherDrop({ batches, jobs }: AppRows): boolean {
  return jobs.length === 0 && batches.every(({ state, archives }) => state === 'staged' && archives.length === 0);
}
