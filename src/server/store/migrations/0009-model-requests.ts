import type { Kysely } from 'kysely';

/** When each user asked the broker's model within the last minute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('model_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('model_requests_by_user').on('model_requests').columns(['user_id', 'at']).execute();
}
