import type { Kysely } from 'kysely';

/** What the last save was, so that the same one sent again is known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('work_batches').addColumn('saved_sha256', 'text').execute();
}
