import type { Kysely } from 'kysely';

/** Placed files, and the workstations' jobs, steps and reviews. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('placements')
    .addColumn('path', 'text', (c) => c.primaryKey())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createTable('former_media')
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('former_path', 'text', (c) => c.notNull())
    .addColumn('track_id', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('replaced_at', 'bigint', (c) => c.notNull())
    .addColumn('moved', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('former_media_once', ['path', 'sha256'])
    .execute();

  await schema
    .createTable('ingestion_jobs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('original_filename', 'text', (c) => c.notNull())
    .addColumn('file_size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('duration_ms', 'double precision')
    .addColumn('codec', 'text')
    .addColumn('bitrate', 'double precision')
    .addColumn('context_type', 'text', (c) => c.notNull())
    .addColumn('context_id', 'text')
    .addColumn('matched_track_id', 'text')
    .addColumn('match_confidence', 'double precision')
    .addColumn('match_source', 'text')
    .addColumn('output_file_path', 'text')
    .addColumn('error_message', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('completed_at', 'bigint')
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('committed', 'integer', (c) => c.notNull())
    .execute();
  await schema.createIndex('jobs_by_user').on('ingestion_jobs').columns(['user_id', 'created_at', 'id']).execute();

  await schema
    .createTable('ingestion_steps')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('job_id', 'text', (c) => c.notNull().references('ingestion_jobs.id').onDelete('cascade'))
    .addColumn('step_number', 'integer', (c) => c.notNull())
    .addColumn('timestamp', 'bigint', (c) => c.notNull())
    .addColumn('step_type', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('metadata', 'text', (c) => c.notNull())
    .addColumn('duration_ms', 'double precision')
    .execute();
  await schema.createIndex('steps_by_job').on('ingestion_steps').columns(['job_id', 'step_number']).execute();

  await schema
    .createTable('ingestion_reviews')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('job_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('question', 'text', (c) => c.notNull())
    .addColumn('reasoning', 'text', (c) => c.notNull())
    .addColumn('options', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('resolved_at', 'bigint')
    .addColumn('resolved_by_user_id', 'text')
    .addColumn('selected_option', 'text')
    .addColumn('acknowledged', 'integer', (c) => c.notNull())
    .execute();
  await schema.createIndex('reviews_in_order').on('ingestion_reviews').columns(['created_at', 'id']).execute();
  await schema
    .createTable('ingestion_review_jobs')
    .addColumn('review_id', 'text', (c) => c.notNull().references('ingestion_reviews.id').onDelete('cascade'))
    .addColumn('job_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('review_jobs_once', ['review_id', 'job_id'])
    .execute();
  await schema.createIndex('reviews_by_job').on('ingestion_review_jobs').column('job_id').execute();
}
