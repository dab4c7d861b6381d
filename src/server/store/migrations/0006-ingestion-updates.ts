import type { Kysely } from 'kysely';

/** What the sockets tell about jobs, in order; counted by the second row of `feed_counter`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ingestion_updates')
    .addColumn('seq', 'bigint', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('job_id', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('step_id', 'text')
    .addColumn('needs_review', 'integer', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('updates_by_user').on('ingestion_updates').columns(['user_id', 'seq']).execute();
}
