/**
 * Guides in the catalog's database. Of guarded runs:
 *
 *   guide_run_memory     one row: gates, counters and the runs under way; to take a key is to write it
 *   guide_run_lines      the journal, written with what each line leads to
 *   guide_runs           what a trigger came to; guide_escalations: what a person is told; guide_run_log: the three lines
 *   guide_processes      who drives runs, and when they last said so; written while they do
 *   guide_settings       what an administrator said in the page: it goes before accession.toml; counts of look-ups
 *
 * Of guides:
 *
 *   guides --import--> guide_channels, guide_days    what the source says; an import that is replaced or was left is
 *     |                                              nobody's, and swept away in parts
 *     |--< guide_mends, guide_dismissals, guide_lookups     what lies over it
 *     `--- guide_lineups, guide_addresses            its lineup; where it comes from, and what its server called it last
 *   guide_stages         the import of a guide that was begun last
 *   guide_schedules, guide_points, guide_keys, guide_items     channels of ours, health over time, who may read what is
 *                                                    written out, the copy of a media server's items
 */
import { migration, type Migrations } from '#server/store/migrate.ts';
import './table-rows.ts';

/** With the columns that tell their rows apart. */
export const TABLES = {
  guide_run_memory: ['id'],
  guide_run_lines: ['run', 'n'],
  guide_runs: ['id'],
  guide_escalations: ['n'],
  guide_run_log: ['n'],
  guide_settings: ['name'],
  guides: ['id'],
  guide_channels: ['import', 'n'],
  guide_days: ['import', 'faults', 'n'],
  guide_lineups: ['guide'],
  guide_mends: ['id'],
  guide_dismissals: ['id'],
  guide_lookups: ['id'],
  guide_addresses: ['guide'],
  guide_schedules: ['channel'],
  guide_points: ['n'],
  guide_keys: ['id'],
} as const;

/** Who drives runs or imports now, and copies of what others have, are nothing that a backup has. */
export const DERIVED_TABLES = ['guide_processes', 'guide_stages', 'guide_items'] as const;

export const migrations: Migrations = {
  /** Guarded runs: what is kept between them, their journals, and what they left behind. */
  '0023-guide-runs': migration(
    ({ clustered }) => `
    create table guide_run_memory (id integer primary key, memory text not null);
    create table guide_run_lines (
      run text not null, n integer not null, line text not null, constraint guide_run_lines_once primary key (run, n)
    )${clustered};
    create table guide_runs (
      id text primary key, at bigint not null, channel text, skipped integer not null, record text not null
    );
    create index guide_runs_in_order on guide_runs (at, id);
    create table guide_escalations (n integer primary key, escalation text not null);
    create table guide_run_log (n integer primary key, at bigint not null, line text not null);
    create table guide_processes (owner text primary key, beat_at bigint not null);
    create table guide_settings (name text primary key, value text not null)`,
  ),
  /** Guides as they came in, what lies over them, channels of ours, and keys of those who read what is written out. */
  '0024-guides': migration(`
    create table guides (id text primary key, import text not null, revision integer not null, draft text not null);
    create table guide_stages (guide text primary key, import text not null);
    create table guide_channels (
      import text not null, n integer not null, id text not null, channel text not null,
      constraint guide_channels_once primary key (import, n)
    );
    create table guide_days (
      import text not null, faults integer not null, channel text not null, day bigint not null, n integer not null,
      count integer not null, data text not null, constraint guide_days_once primary key (import, faults, n)
    );
    create index guide_days_in_order on guide_days (import, faults, channel, day, n);
    create table guide_lineups (guide text primary key, lineup text not null);
    create table guide_mends (
      id text primary key, n integer not null, guide text not null, run text, mend text not null
    );
    create index guide_mends_in_order on guide_mends (guide, n);
    create index guide_mends_by_run on guide_mends (run, n);
    create table guide_dismissals (id text primary key, guide text not null, at bigint not null, value text not null);
    create table guide_lookups (id text primary key, guide text not null, at bigint not null, value text not null);
    create table guide_addresses (guide text primary key, url text not null, etag text);
    create table guide_schedules (channel text primary key, schedule text not null);
    create table guide_points (n integer primary key, point text not null);
    create table guide_keys (
      id text primary key, name text not null, guide text not null, key_hash text not null unique, created_at bigint not null,
      created_by text not null, revoked_at bigint
    );
    create table guide_items (id text primary key, item text not null)`),
};
