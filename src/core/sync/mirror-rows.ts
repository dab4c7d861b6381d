/** Rows of the workstation as the mirror carries them. */
import type { Job, ReasoningStep } from '../job/job.ts';
import type { Review } from '../job/review.ts';
import type { MirrorRequest } from './protocol.ts';

/** The wire's limit for a step's text, in characters. */
const MAX_CONTENT = 20_000;

export function mirroredJob(job: Job): MirrorRequest['jobs'][number] {
  return {
    id: job.id,
    status: job.status,
    original_filename: job.original_filename,
    file_size_bytes: job.file_size_bytes,
    duration_ms: job.duration_ms,
    codec: job.codec,
    bitrate: job.bitrate,
    // Lower case on the wire, upper case in storage: as the specification writes both.
    context_type: job.context_type === 'DOWNLOAD_REQUEST' ? 'download_request' : 'spontaneous',
    context_id: job.context_id,
    matched_track_id: job.matched_track_id,
    match_confidence: job.match_confidence,
    match_source: job.match_source,
    output_file_path: job.output_file_path,
    error_message: job.error_message,
    created_at: job.created_at,
    started_at: job.started_at,
    completed_at: job.completed_at,
    updated_at: job.updated_at,
  };
}

export function mirroredStep(step: ReasoningStep): MirrorRequest['steps'][number] {
  const { job_id, ...rest } = step;
  return { job_id, step: { ...rest, content: rest.content.slice(0, MAX_CONTENT) } };
}

export function mirroredReview(review: Review): MirrorRequest['reviews'][number] {
  return {
    id: review.id,
    job_id: review.job_id,
    job_ids: review.job_ids,
    question: review.question,
    reasoning: review.reasoning,
    options: review.options.map(({ id, label, confidence }) => ({
      id,
      label,
      confidence,
      ...(id === 'accept' ? { tracks: proposedTracks(review) } : {}),
    })),
    advice: review.advice ?? null,
    created_at: review.created_at,
    resolved_at: review.resolved_at,
    resolved_by_user_id: review.resolved_by_user_id,
    selected_option: review.selected_option,
    ...(review.stands === true ? { stands: true } : {}),
  };
}

/** REVIEW-25: what `accept` takes, whole: an answer that comes through the server is about what was seen there. */
function proposedTracks({ files }: Review) {
  return files.flatMap(({ job_id, name, proposed }) => {
    if (!proposed) return [];
    const { track_id, title, album_id, album, duration_ms } = proposed;
    return [{ job_id, name, track_id, title, album_id, album, duration_ms }];
  });
}
