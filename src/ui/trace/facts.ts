import type { Job } from '#core/job/job.ts';
import type { Fact } from '../lane-ui.ts';
import { bytes, moment } from '../parts/words.ts';

/** What is known of any file. `own`: what its lane knows, after the size and after the context. */
export function fileFacts(job: Job, own: { ofFile: Fact[]; ofResult: Fact[] } = { ofFile: [], ofResult: [] }): Fact[] {
  const request = job.context_type === 'DOWNLOAD_REQUEST';
  return [
    { name: 'Path in the drop', value: job.path, mono: true },
    { name: 'Size', value: bytes(job.file_size_bytes) },
    ...own.ofFile,
    { name: 'Context', value: request ? `Download request ${job.context_id ?? ''}` : 'Spontaneous upload' },
    ...own.ofResult,
    { name: 'Duplicate of', value: job.duplicate_of, mono: true },
    { name: 'Arrived', value: moment(job.created_at) },
    { name: 'Finished', value: job.completed_at === null ? null : moment(job.completed_at) },
    { name: 'SHA-256', value: job.sha256, mono: true },
  ];
}
