import type { Batch, JobFields } from '#core/job/job.ts';
import type { MusicJob, MusicOption, MusicReview, MusicTypes } from '#lanes/music/core/types.ts';
import { makeBatch, makeJob } from '../../fixtures/job.ts';

/** A job as it is right after staging; `id` also names its file. */
export const job = (id: string, patch: Partial<JobFields<MusicTypes>> = {}): MusicJob => makeJob({ ...patch, id });

export const batch = (id: string, label: string): Batch => makeBatch({ id, label });

/** An open question about one file, with one candidate. */
export function trackReview(id: string, group: string, confidence: number): MusicReview {
  const option: MusicOption = { id: `track:${id}`, label: id, confidence, reasons: [] };
  return {
    schema_version: 1,
    id,
    kind: 'track',
    job_id: id,
    job_ids: [id],
    batch_id: 'batch',
    group_id: group,
    question: `Which track is '${id}'?`,
    reasoning: '',
    options: [option],
    detected: { album: 'An Album', artist: null, year: null, title: null },
    files: [],
    created_at: 1,
    resolved_at: null,
    resolved_by_user_id: null,
    selected_option: null,
  };
}
