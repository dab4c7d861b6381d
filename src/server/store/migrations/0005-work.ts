import type { Kysely } from 'kysely';

/** Uploads that wait for a worker, their files, and who works on them; jobs know what they came out of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('ingestion_jobs').addColumn('parent_job_id', 'text').execute();
  await schema.alterTable('ingestion_jobs').addColumn('batch_id', 'text').execute();
  await schema.alterTable('ingestion_jobs').addColumn('cancelled_at', 'bigint').execute();
  await schema.createIndex('jobs_by_parent').on('ingestion_jobs').column('parent_job_id').execute();
  await schema.createIndex('jobs_by_batch').on('ingestion_jobs').column('batch_id').execute();
  await schema.createIndex('jobs_by_status').on('ingestion_jobs').columns(['status', 'matched_track_id']).execute();

  await schema
    .createTable('work_batches')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('context_type', 'text', (c) => c.notNull())
    .addColumn('context_id', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .addColumn('document', 'text')
    .addColumn('lease_id', 'text', (c) => c.unique())
    .addColumn('worker', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('lost', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('work_in_order').on('work_batches').columns(['state', 'created_at', 'id']).execute();
  await schema
    .createTable('work_files')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('batch_id', 'text', (c) => c.notNull().references('work_batches.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('work_files_by_batch').on('work_files').column('batch_id').execute();
}
