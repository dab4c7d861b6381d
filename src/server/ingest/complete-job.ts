import type { CommitRequest } from '#core/sync/protocol.ts';
import type { IngestionJobTable, Tx } from '../store/schema.ts';

/**
 * Marks the job of an accepted commit COMPLETED, for good: what a workstation mirrors later does not take it back.
 * A job that was not mirrored yet is made here; its other fields come with the mirror.
 */
export async function completeJob(
  tx: Tx,
  userId: string,
  body: CommitRequest,
  output_file_path: string | null,
  now: number,
): Promise<void> {
  const result = {
    status: 'COMPLETED' as const,
    matched_track_id: body.track_id,
    match_confidence: body.match_confidence,
    match_source: body.match_source,
    output_file_path,
    error_message: null,
    completed_at: now,
    committed: 1,
  };
  const row: IngestionJobTable = {
    ...result,
    id: body.job_id,
    user_id: userId,
    original_filename: body.original_filename,
    file_size_bytes: 0,
    duration_ms: body.duration_ms,
    codec: null,
    bitrate: null,
    context_type: body.request_id === null ? 'SPONTANEOUS' : 'DOWNLOAD_REQUEST',
    context_id: body.request_id,
    created_at: now,
    started_at: null,
    parent_job_id: null,
    batch_id: null,
    cancelled_at: null,
    // Older than anything a workstation sends: its row is taken over when it comes.
    updated_at: 0,
  };
  await tx
    .insertInto('ingestion_jobs')
    .values(row)
    .onConflict((c) => c.column('id').doUpdateSet(result).where('ingestion_jobs.user_id', '=', userId))
    .execute();
}
