import type { Kysely } from 'kysely';

/** Shows with their seasons and episodes; and the feed by kind, because theirs is read apart from the music's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shows')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('titles', 'text', (c) => c.notNull())
    .addColumn('year', 'integer')
    .addColumn('sort_key', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('shows_in_order').on('shows').columns(['sort_key', 'id']).execute();
  await db.schema
    .createTable('show_seasons')
    .addColumn('show_id', 'text', (c) => c.notNull().references('shows.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('title', 'text')
    .addPrimaryKeyConstraint('show_seasons_once', ['show_id', 'number'])
    .execute();
  await db.schema
    .createTable('show_episodes')
    .addColumn('show_id', 'text', (c) => c.notNull().references('shows.id'))
    .addColumn('season', 'integer', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('title', 'text')
    .addColumn('air_date', 'text')
    .addColumn('absolute', 'integer')
    .addPrimaryKeyConstraint('show_episodes_once', ['show_id', 'season', 'number'])
    .execute();
  await db.schema.createIndex('changes_by_kind').on('changes').columns(['kind', 'seq']).execute();
}
