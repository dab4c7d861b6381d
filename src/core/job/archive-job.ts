import type { Job } from './job.ts';

/** An archive that came over HTTP, and what came out of it. */
export interface ArchiveState {
  /** Everything in it is a job, a companion or a failed row. */
  unpacked: boolean;
  /** Why it could not be opened, or that it was cancelled: one sentence. */
  error: string | null;
}

/** The status of an archive's job: how far what came out of it is. COMPLETED where anything of it was published. */
export function archiveStatus(
  archive: ArchiveState,
  children: readonly Pick<Job, 'status'>[],
): { status: Job['status']; error: string | null } {
  const any = (status: Job['status']): boolean => children.some((job) => job.status === status);
  const at = (status: Job['status'], error: string | null = null) => ({ status, error });
  if (archive.error !== null) return at('FAILED', archive.error);
  if (!archive.unpacked || any('PENDING') || any('PROCESSING')) return at('PROCESSING');
  if (any('CONVERTING')) return at('CONVERTING');
  if (any('AWAITING_REVIEW')) return at('AWAITING_REVIEW');
  if (any('COMPLETED')) return at('COMPLETED');
  if (children.length === 0) return at('FAILED', 'There is no audio in it.');
  return at('FAILED', children.length === 1 ? 'Its file failed.' : `All of its ${children.length} files failed.`);
}
