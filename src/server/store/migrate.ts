import { sql, SqliteAdapter, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Database } from './schema.ts';

/** Migrations by their names, which sort in the order in which they are made. */
export type Migrations = Readonly<Record<string, Migration>>;

const FORMER = `path, former_path, track_id, sha256, replaced_at, moved, replaced_by, reason, audio_size, audio_duration_ms, \
original_sha256`;

/** The database itself refuses to change or drop a line of the log. */
const REFUSE_IN_SQLITE = ['update', 'delete']
  .map(
    (change) =>
      `create trigger audit_no_${change} before ${change} on audit begin select raise(abort, 'the audit log is append-only'); end`,
  )
  .join(';\n');
const REFUSE_IN_POSTGRES = `create or replace function audit_is_append_only() returns trigger language plpgsql as $$ begin raise exception 'the audit log is append-only'; end $$;
create trigger audit_no_change before update or delete on audit for each row execute function audit_is_append_only()`;

/**
 * Every form the database had before lanes brought their own, and what all lanes share, oldest first. A released one is
 * never edited: changes are new entries. The same statements for SQLite and PostgreSQL, as far as they agree.
 */
export const MIGRATIONS: Migrations = {
  /** Catalog, feed, requests, search, tokens: the first released form. */
  '0001-catalog': migration(
    ({ clustered }) => `
    create table meta (key text primary key, value text not null);
    create table feed_counter (id integer primary key, value bigint not null);
    create table artists (
      id text primary key, name text not null, name_key text not null, external_ids text, version integer not null
    );
    create index artists_by_name on artists (name_key);
    create table albums (
      id text primary key, title text not null, artist_id text not null references artists (id), artist text not null,
      year integer, is_compilation integer not null, discs integer not null, track_count integer not null,
      external_ids text, sort_key text not null, version integer not null
    );
    create index albums_by_artist on albums (artist_id);
    create index albums_in_order on albums (sort_key, id);
    create table tracks (
      id text primary key, album_id text not null references albums (id), title text not null,
      artist_id text not null references artists (id), artist text not null, disc integer not null,
      position integer not null, duration_ms integer, external_ids text, availability text not null,
      output_file_path text unique, audio_sha256 text, original_sha256 text, audio_size bigint,
      audio_duration_ms integer, version integer not null,
      constraint tracks_one_a_position unique (album_id, disc, position)
    );
    create index tracks_by_audio on tracks (audio_sha256);
    create index tracks_by_artist on tracks (artist_id);
    create table changes (
      kind text not null, entity_id text not null, seq bigint not null unique,
      constraint changes_one_an_entity primary key (kind, entity_id)
    );
    create table download_requests (
      id text primary key, status text not null, album_id text references albums (id),
      track_id text references tracks (id), requested_by text not null, created_at bigint not null,
      fulfilled_at bigint
    );
    create index requests_in_order on download_requests (created_at, id);
    create index requests_by_album on download_requests (album_id);
    create index requests_by_track on download_requests (track_id);
    create table search_terms (term text primary key, df integer not null);
    create table search_grams (
      gram text not null, term text not null, constraint search_grams_once primary key (gram, term)
    )${clustered};
    create table search_postings (
      kind text not null, entity_id text not null, term text not null, terms integer not null,
      constraint search_postings_once primary key (kind, entity_id, term)
    )${clustered};
    create index search_postings_by_term on search_postings (term, kind, terms, entity_id);
    create table tokens (
      token_hash text primary key, label text not null, user_id text not null, scopes text not null,
      created_at bigint not null, revoked_at bigint
    );
    create table idempotency (
      user_id text not null, key text not null, request_sha256 text not null, status integer not null,
      response text not null, created_at bigint not null, constraint idempotency_once primary key (user_id, key)
    );
    create index idempotency_by_age on idempotency (created_at)`,
  ),
  /** Placed files, and the workstations' jobs, steps and reviews. */
  '0002-ingestion': migration(`
    create table placements (path text primary key, created_at bigint not null);
    create table former_media (
      path text not null, former_path text not null, track_id text not null, sha256 text not null,
      replaced_at bigint not null, moved integer not null, constraint former_media_once primary key (path, sha256)
    );
    create table ingestion_jobs (
      id text primary key, status text not null, user_id text not null, original_filename text not null,
      file_size_bytes bigint not null, duration_ms double precision, codec text, bitrate double precision,
      context_type text not null, context_id text, matched_track_id text, match_confidence double precision,
      match_source text, output_file_path text, error_message text, created_at bigint not null, started_at bigint,
      completed_at bigint, updated_at bigint not null, committed integer not null
    );
    create index jobs_by_user on ingestion_jobs (user_id, created_at, id);
    create table ingestion_steps (
      id text primary key, job_id text not null references ingestion_jobs (id) on delete cascade,
      step_number integer not null, timestamp bigint not null, step_type text not null, content text not null,
      metadata text not null, duration_ms double precision
    );
    create index steps_by_job on ingestion_steps (job_id, step_number);
    create table ingestion_reviews (
      id text primary key, job_id text not null, user_id text not null, question text not null,
      reasoning text not null, options text not null, created_at bigint not null, resolved_at bigint,
      resolved_by_user_id text, selected_option text, acknowledged integer not null
    );
    create index reviews_in_order on ingestion_reviews (created_at, id);
    create table ingestion_review_jobs (
      review_id text not null references ingestion_reviews (id) on delete cascade, job_id text not null,
      constraint review_jobs_once primary key (review_id, job_id)
    );
    create index reviews_by_job on ingestion_review_jobs (job_id)`),
  /** What each user took of the broker's model, by day. */
  '0003-model-usage': migration(`
    create table model_usage (
      user_id text not null, day integer not null, tokens bigint not null, requests integer not null,
      constraint model_usage_once primary key (user_id, day)
    )`),
  /** People, invitations, what a token may and until when, the log of who did what, counters, who replaced audio. */
  '0004-users': migration(
    ({ sqlite }) => `
    create table users (
      id text primary key, name text not null, role text not null, created_at bigint not null, created_by text,
      removed_at bigint
    );
    alter table tokens add column id text;
    alter table tokens add column expires_at bigint;
    create index tokens_by_user on tokens (user_id);
    create table invites (
      id text primary key, secret_hash text not null unique, name text not null, role text not null,
      created_by text not null, created_at bigint not null, expires_at bigint not null, used_at bigint, used_by text,
      revoked_at bigint
    );
    create table audit (
      id text primary key, at bigint not null, user_id text not null, action text not null, kind text not null,
      entity_id text not null, details text not null
    );
    create index audit_by_entity on audit (kind, entity_id, id);
    create index audit_by_user on audit (user_id, id);
    ${sqlite ? REFUSE_IN_SQLITE : REFUSE_IN_POSTGRES};
    create table rate_counters (name text primary key, begun_at bigint not null, used integer not null);
    alter table former_media add column replaced_by text;
    alter table former_media add column reason text;
    alter table former_media add column audio_size bigint;
    alter table former_media add column audio_duration_ms integer;
    alter table former_media add column original_sha256 text;
    create index former_by_track on former_media (track_id)`,
  ),
  /** Uploads that wait for a worker, their files, and who works on them; jobs know what they came out of. */
  '0005-work': migration(`
    alter table ingestion_jobs add column parent_job_id text;
    alter table ingestion_jobs add column batch_id text;
    alter table ingestion_jobs add column cancelled_at bigint;
    create index jobs_by_parent on ingestion_jobs (parent_job_id);
    create index jobs_by_batch on ingestion_jobs (batch_id);
    create index jobs_by_status on ingestion_jobs (status, matched_track_id);
    create table work_batches (
      id text primary key, user_id text not null, label text not null, context_type text not null, context_id text,
      state text not null, revision integer not null, document text, lease_id text unique, worker text,
      lease_until bigint, lost integer not null, created_at bigint not null, updated_at bigint not null
    );
    create index work_in_order on work_batches (state, created_at, id);
    create table work_files (
      id text primary key, batch_id text not null references work_batches (id) on delete cascade, path text not null,
      size bigint not null, sha256 text not null
    );
    create index work_files_by_batch on work_files (batch_id)`),
  /** What the sockets tell about jobs, in order; counted by the second row of `feed_counter`. */
  '0006-ingestion-updates': migration(`
    create table ingestion_updates (
      seq bigint primary key, user_id text not null, job_id text not null, status text not null, step_id text,
      needs_review integer not null
    );
    create index updates_by_user on ingestion_updates (user_id, seq)`),
  /** What the last save was, so that the same one sent again is known. */
  '0007-work-saved': migration(`
    alter table work_batches add column saved_sha256 text`),
  /** Two tracks may have had one path in turn, with the same audio: each keeps what it had. */
  '0008-former-of-track': migration(`
    create table former_media_of_track (
      path text not null, former_path text not null, track_id text not null, sha256 text not null,
      replaced_at bigint not null, moved integer not null, replaced_by text, reason text, audio_size bigint,
      audio_duration_ms integer, original_sha256 text,
      constraint former_media_of_track_once primary key (path, sha256, track_id)
    );
    insert into former_media_of_track (${FORMER}) select ${FORMER} from former_media;
    drop table former_media;
    alter table former_media_of_track rename to former_media;
    create index former_by_track on former_media (track_id)`),
  /** When each user asked the broker's model within the last minute. */
  '0009-model-requests': migration(`
    create table model_requests (id text primary key, user_id text not null, at bigint not null);
    create index model_requests_by_user on model_requests (user_id, at)`),
  /** Shows with their seasons and episodes; and the feed by kind, because theirs is read apart from the music's. */
  '0010-shows': migration(`
    create table shows (
      id text primary key, title text not null, titles text not null, year integer, sort_key text not null,
      version integer not null
    );
    create index shows_in_order on shows (sort_key, id);
    create table show_seasons (
      show_id text not null references shows (id), number integer not null, title text,
      constraint show_seasons_once primary key (show_id, number)
    );
    create table show_episodes (
      show_id text not null references shows (id), season integer not null, number integer not null, title text,
      air_date text, absolute integer, constraint show_episodes_once primary key (show_id, season, number)
    );
    create index changes_by_kind on changes (kind, seq)`),
  /** What was learned from the answers of a person whose uploads are worked on here. */
  '0011-learned': migration(`
    create table learned (
      user_id text not null, lane text not null, kind text not null, key text not null, at bigint not null,
      value text not null, constraint learned_key primary key (user_id, lane, kind, key)
    );
    create index learned_in_order on learned (user_id, lane, kind, at)`),
  /** What the agent says of a question. */
  '0012-review-advice': migration(() => 'alter table ingestion_reviews add column advice text'),
  /** What confirmed recognitions say of video files, and the renames that these records followed. */
  '0013-video-records': migration(`
    create table video_records (
      id text primary key, schema_version integer not null, folder text not null, path text not null,
      size bigint not null, modified double precision not null, seconds double precision, claims text not null
    );
    create index video_records_by_folder on video_records (folder);
    create table followed_renames (journal_id text primary key)`),
  /** Steps of a whole group are with one of its jobs; rows of the others say where. */
  '0014-shared-steps': migration(() => 'alter table ingestion_steps add column same_as text'),
  /** A random word for each transaction that wrote to the feed, by its last number. */
  '0015-feed-marks': migration(
    ({ sqlite }) => `
    create table feed_marks (seq bigint primary key, mark text not null);
    insert into feed_marks (seq, mark)
      select value, ${sqlite ? 'lower(hex(randomblob(6)))' : 'substr(md5(random()::text || clock_timestamp()::text), 1, 12)'}
      from feed_counter where id = 1 and value > 0`,
  ),
  /** What workstations hold as the proof that their last report was taken. */
  '0016-mirror-marks': migration(`
    create table mirror_marks (mark text primary key, user_id text not null, parent text, at bigint not null)`),
  /** Files that are not what the catalog says, and tracks whose audio was lost by that. */
  '0017-damage': migration(`
    create table damage (
      root text not null, path text not null, sha256 text not null, wrong text not null, found_at bigint not null,
      constraint damage_once primary key (root, path)
    );
    alter table tracks add column lost_sha256 text`),
  /** What workers save, in parts: no statement has a whole document. */
  '0019-work-documents': migration(
    ({ clustered }) => `
    create table work_documents (
      batch_id text not null references work_batches (id) on delete cascade, part integer not null,
      revision integer not null, content text not null, constraint work_documents_once primary key (batch_id, part)
    )${clustered};
    insert into work_documents (batch_id, part, revision, content)
      select id, 0, revision, document from work_batches where document is not null;
    alter table work_batches drop column document`,
  ),
  /** With all that its order asks for: which ones are the oldest is found without reading any. */
  '0025-learned-order': migration(`
    drop index learned_in_order;
    create index learned_in_order on learned (user_id, lane, kind, at, key)`),
  /** When the workstation that works on a job last spoke of it. */
  '0040-heard': migration(() => 'alter table ingestion_jobs add column heard_at bigint'),
  /** Changes of the catalog that can be taken back, and the ids that became others by them. */
  '0041-catalog-edits': migration(`
    create table catalog_edits (
      id text primary key, at bigint not null, user_id text not null, kind text not null, kept text not null,
      undone_at bigint
    );
    create table moved_ids (id text primary key, into_id text not null, edit_id text not null)`),
  /** Pictures that albums have and had. */
  '0042-album-covers': migration(`
    create table album_covers (
      album_id text not null, sha256 text not null, mime text not null, size bigint not null, path text not null,
      source text not null, at bigint not null, user_id text not null, present integer not null,
      constraint album_covers_once primary key (album_id, sha256)
    );
    create index album_covers_by_path on album_covers (path)`),
  /** How far imports are that are written in pieces. */
  '0043-catalog-imports': migration(`
    create table catalog_imports (
      id text primary key, user_id text not null, begun_at bigint not null, at bigint not null, rows bigint not null,
      done bigint not null, counts text not null, cancelled_by text
    )`),
};

/** @param text statements, each on lines of its own */
export function migration(text: string | ((of: { sqlite: boolean; clustered: string }) => string)): Migration {
  return {
    async up(db) {
      const sqlite = db.getExecutor().adapter instanceof SqliteAdapter;
      // SQLite otherwise keeps a second tree for a key of several columns, and writes half as fast.
      const statements = typeof text === 'string' ? text : text({ sqlite, clustered: sqlite ? ' without rowid' : '' });
      for (const statement of statements.split(';\n')) await sql.raw(statement.trim()).execute(db);
    },
  };
}

/** The database has a form that this version does not know. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';

  /** @param migration the first one that is not known here */
  constructor(migration: string) {
    super(
      `The database was written by a newer version of Accession (${migration}): start that one, or put back a backup of this one's. Nothing was changed.`,
    );
  }
}

/**
 * Brings the database to the newest form; forward only. Throws when a step fails, which then changed nothing.
 * @param ofLanes those that lanes bring, numbered on from those here
 */
export async function migrate(db: Kysely<Database>, ofLanes: Migrations = {}): Promise<void> {
  const all = { ...MIGRATIONS, ...ofLanes };
  // A lane may come to a database that has newer tables of the server's own: neither knows the other's.
  const provider = { getMigrations: () => Promise.resolve(all) };
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  const { error } = await migrator.migrateToLatest();
  // Kysely's own words for a migration that was carried out and is not in the list.
  const [, unknown] =
    /previously executed migration (\S+) is missing/.exec(error instanceof Error ? error.message : '') ?? [];
  if (unknown !== undefined) throw new NewerDatabase(unknown);
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('the database could not be migrated', { cause: error });
}
