import { sql, SqliteAdapter, type Kysely, type RawBuilder } from 'kysely';

/** Catalog, feed, requests, search, tokens: the first released form. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  const clustered = clusteredByKey(db);
  await schema
    .createTable('meta')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('feed_counter')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('value', 'bigint', (c) => c.notNull())
    .execute();

  await schema
    .createTable('artists')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('external_ids', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .execute();
  await schema.createIndex('artists_by_name').on('artists').column('name_key').execute();

  await schema
    .createTable('albums')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('artist_id', 'text', (c) => c.notNull().references('artists.id'))
    .addColumn('artist', 'text', (c) => c.notNull())
    .addColumn('year', 'integer')
    .addColumn('is_compilation', 'integer', (c) => c.notNull())
    .addColumn('discs', 'integer', (c) => c.notNull())
    .addColumn('track_count', 'integer', (c) => c.notNull())
    .addColumn('external_ids', 'text')
    .addColumn('sort_key', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .execute();
  await schema.createIndex('albums_by_artist').on('albums').column('artist_id').execute();
  await schema.createIndex('albums_in_order').on('albums').columns(['sort_key', 'id']).execute();

  await schema
    .createTable('tracks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('album_id', 'text', (c) => c.notNull().references('albums.id'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('artist_id', 'text', (c) => c.notNull().references('artists.id'))
    .addColumn('artist', 'text', (c) => c.notNull())
    .addColumn('disc', 'integer', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('duration_ms', 'integer')
    .addColumn('external_ids', 'text')
    .addColumn('availability', 'text', (c) => c.notNull())
    .addColumn('output_file_path', 'text', (c) => c.unique())
    .addColumn('audio_sha256', 'text')
    .addColumn('original_sha256', 'text')
    .addColumn('audio_size', 'bigint')
    .addColumn('audio_duration_ms', 'integer')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addUniqueConstraint('tracks_one_a_position', ['album_id', 'disc', 'position'])
    .execute();
  await schema.createIndex('tracks_by_audio').on('tracks').column('audio_sha256').execute();
  await schema.createIndex('tracks_by_artist').on('tracks').column('artist_id').execute();

  await schema
    .createTable('changes')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('entity_id', 'text', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull().unique())
    .addPrimaryKeyConstraint('changes_one_an_entity', ['kind', 'entity_id'])
    .execute();

  await schema
    .createTable('download_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('album_id', 'text', (c) => c.references('albums.id'))
    .addColumn('track_id', 'text', (c) => c.references('tracks.id'))
    .addColumn('requested_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('fulfilled_at', 'bigint')
    .execute();
  await schema.createIndex('requests_in_order').on('download_requests').columns(['created_at', 'id']).execute();
  await schema.createIndex('requests_by_album').on('download_requests').column('album_id').execute();
  await schema.createIndex('requests_by_track').on('download_requests').column('track_id').execute();

  await schema
    .createTable('search_terms')
    .addColumn('term', 'text', (c) => c.primaryKey())
    .addColumn('df', 'integer', (c) => c.notNull())
    .execute();
  await schema
    .createTable('search_grams')
    .addColumn('gram', 'text', (c) => c.notNull())
    .addColumn('term', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('search_grams_once', ['gram', 'term'])
    .modifyEnd(clustered)
    .execute();
  await schema
    .createTable('search_postings')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('entity_id', 'text', (c) => c.notNull())
    .addColumn('term', 'text', (c) => c.notNull())
    .addColumn('terms', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('search_postings_once', ['kind', 'entity_id', 'term'])
    .modifyEnd(clustered)
    .execute();
  await schema
    .createIndex('search_postings_by_term')
    .on('search_postings')
    .columns(['term', 'kind', 'terms', 'entity_id'])
    .execute();

  await schema
    .createTable('tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute();
  await schema
    .createTable('idempotency')
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('request_sha256', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('response', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_once', ['user_id', 'key'])
    .execute();
  await schema.createIndex('idempotency_by_age').on('idempotency').column('created_at').execute();
}

/** SQLite otherwise keeps a second tree for a key of several columns, and writes half as fast. */
function clusteredByKey(db: Kysely<unknown>): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof SqliteAdapter ? sql`without rowid` : sql``;
}
