import { sql, type Kysely } from 'kysely';

/** Two tracks may have had one path in turn, with the same audio: each keeps what it had. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('former_media_of_track')
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('former_path', 'text', (c) => c.notNull())
    .addColumn('track_id', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('replaced_at', 'bigint', (c) => c.notNull())
    .addColumn('moved', 'integer', (c) => c.notNull())
    .addColumn('replaced_by', 'text')
    .addColumn('reason', 'text')
    .addColumn('audio_size', 'bigint')
    .addColumn('audio_duration_ms', 'integer')
    .addColumn('original_sha256', 'text')
    .addPrimaryKeyConstraint('former_media_of_track_once', ['path', 'sha256', 'track_id'])
    .execute();
  const columns = sql.raw(
    'path, former_path, track_id, sha256, replaced_at, moved, replaced_by, reason, audio_size, audio_duration_ms, original_sha256',
  );
  await sql`insert into former_media_of_track (${columns}) select ${columns} from former_media`.execute(db);
  await db.schema.dropTable('former_media').execute();
  await db.schema.alterTable('former_media_of_track').renameTo('former_media').execute();
  await db.schema.createIndex('former_by_track').on('former_media').column('track_id').execute();
}
