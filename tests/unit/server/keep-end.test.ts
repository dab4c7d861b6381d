import { expect, test } from 'vitest';
import { isUnreported, keepEnd } from '#server/ingest/job-records.ts';
import type { IngestionJobTable } from '#server/store/schema.ts';

const JOB: IngestionJobTable = {
  ...{ id: 'job', user_id: 'ann', original_filename: 'a.flac', file_size_bytes: 1, duration_ms: null, codec: null },
  ...{ bitrate: null, context_type: 'SPONTANEOUS', context_id: null, matched_track_id: null, match_confidence: null },
  ...{ match_source: null, output_file_path: null, error_message: null, created_at: 1, started_at: null },
  ...{ committed: 0, parent_job_id: null, batch_id: null },
  ...{ status: 'CONVERTING', completed_at: null, updated_at: 1, cancelled_at: null, heard_at: null },
};

test('WORK-17 a cancelled job stays so until its worker has said FAILED, and then takes it up again', () => {
  const cancelled: IngestionJobTable = { ...JOB, status: 'FAILED', completed_at: 50, cancelled_at: 50 };
  const unreported = keepEnd({ ...JOB, updated_at: 60 }, cancelled);
  expect(unreported).toMatchObject({ status: 'FAILED', cancelled_at: 50 });
  expect(isUnreported(unreported)).toBe(true);
  // A commit that is late looks at `cancelled_at`.
  const heard = keepEnd({ ...JOB, status: 'FAILED', completed_at: 70 }, unreported);
  expect(heard.cancelled_at).toBe(50);
  expect(isUnreported(heard)).toBe(false);
  expect(keepEnd({ ...JOB, status: 'FAILED', completed_at: 70 }, heard).cancelled_at).toBe(50);
  expect(keepEnd({ ...JOB, status: 'PENDING' }, heard)).toMatchObject({ status: 'PENDING', cancelled_at: null });
});
