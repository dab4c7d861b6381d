import type { Kysely } from 'kysely';

/** What was learned from the answers of a person whose uploads are worked on here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('learned')
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('lane', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('learned_key', ['user_id', 'lane', 'kind', 'key'])
    .execute();
  await schema.createIndex('learned_in_order').on('learned').columns(['user_id', 'lane', 'kind', 'at']).execute();
}
