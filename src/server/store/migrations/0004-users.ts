import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** People, invitations, what a token may and until when, the log of who did what, counters, who replaced audio. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('users')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text')
    .addColumn('removed_at', 'bigint')
    .execute();

  await schema.alterTable('tokens').addColumn('id', 'text').execute();
  await schema.alterTable('tokens').addColumn('expires_at', 'bigint').execute();
  await schema.createIndex('tokens_by_user').on('tokens').column('user_id').execute();

  await schema
    .createTable('invites')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('used_by', 'text')
    .addColumn('revoked_at', 'bigint')
    .execute();

  await schema
    .createTable('audit')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('entity_id', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('audit_by_entity').on('audit').columns(['kind', 'entity_id', 'id']).execute();
  await schema.createIndex('audit_by_user').on('audit').columns(['user_id', 'id']).execute();
  await appendOnly(db);

  await schema
    .createTable('rate_counters')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('begun_at', 'bigint', (c) => c.notNull())
    .addColumn('used', 'integer', (c) => c.notNull())
    .execute();

  for (const [column, type] of FORMER) await schema.alterTable('former_media').addColumn(column, type).execute();
  await schema.createIndex('former_by_track').on('former_media').column('track_id').execute();
}

const FORMER = [
  ['replaced_by', 'text'],
  ['reason', 'text'],
  ['audio_size', 'bigint'],
  ['audio_duration_ms', 'integer'],
  ['original_sha256', 'text'],
] as const;

/** The database itself refuses to change or drop a line of the log. */
async function appendOnly(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    for (const change of ['update', 'delete'])
      await sql
        .raw(
          `create trigger audit_no_${change} before ${change} on audit begin select raise(abort, 'the audit log is append-only'); end`,
        )
        .execute(db);
    return;
  }
  await sql
    .raw(
      `create or replace function audit_is_append_only() returns trigger language plpgsql as $$ begin raise exception 'the audit log is append-only'; end $$`,
    )
    .execute(db);
  await sql
    .raw(
      `create trigger audit_no_change before update or delete on audit for each row execute function audit_is_append_only()`,
    )
    .execute(db);
}
