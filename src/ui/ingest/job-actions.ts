/** What can be done with a file now. */
import Download from '@lucide/svelte/icons/download';
import Pause from '@lucide/svelte/icons/pause';
import Play from '@lucide/svelte/icons/play';
import RotateCw from '@lucide/svelte/icons/rotate-cw';
import Undo2 from '@lucide/svelte/icons/undo-2';
import X from '@lucide/svelte/icons/x';
import { canPause, canUndo, isFinished, type Job } from '#core/job/job.ts';
import { ask, pipeline } from '../client/workers.ts';

/** Whether it failed, and may be tried again with what is kept of it. */
export const isRetryable = ({ status, failure, temp_file_path }: Job): boolean =>
  status === 'FAILED' && failure?.retryable === true && temp_file_path !== null;

const RETRY = { id: 'retry', icon: RotateCw, words: 'Retry', title: undefined };
const UNDO = { id: 'undo', icon: Undo2, words: 'Undo decision', title: 'Undo decision: ask me again' };
const PAUSE = {
  ...{ id: 'pause', icon: Pause, words: 'Pause' },
  title: 'Pause this file; it is converted from its beginning when it goes on',
};
const RESUME = { id: 'pause', icon: Play, words: 'Resume', title: 'Resume this file' };
const DOWNLOAD = { id: 'download', icon: Download, words: 'Download', title: 'Download what this file became' };
const CANCEL = { id: 'cancel', icon: X, words: 'Cancel', title: 'Cancel this file' };

/** Saves what these files became. */
export const download = async (jobs: readonly Job[], label: string): Promise<void> =>
  (await import('./download-results.ts')).downloadResults(jobs, label);

export const jobActions = (job: Job) => [
  ...(isRetryable(job) ? [{ ...RETRY, run: () => ask(pipeline().retry([job.id])) }] : []),
  ...(canUndo(job) ? [{ ...UNDO, run: () => ask(pipeline().undo([job.id])) }] : []),
  ...(canPause(job)
    ? [{ ...(job.paused ? RESUME : PAUSE), run: () => ask(pipeline().pause([job.id], job.paused !== true)) }]
    : []),
  ...(job.output_sha256 === null ? [] : [{ ...DOWNLOAD, run: () => download([job], job.original_filename) }]),
  ...(isFinished(job) ? [] : [{ ...CANCEL, run: () => ask(pipeline().cancel([job.id])) }]),
];
