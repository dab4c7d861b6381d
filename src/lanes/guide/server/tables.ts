/**
 * Guides in the catalog's database. Of guarded runs:
 *
 *   guide_run_memory     one row: gates, counters and the runs under way; to take a key is to write it
 *   guide_run_lines      the journal, written with what each line leads to
 *   guide_runs           what a trigger came to; guide_escalations: what a person is told; guide_run_log: the three lines
 *   guide_processes      who drives runs, and when they last said so; written while they do
 *   guide_settings       what an administrator said in the page: it goes before accession.toml
 */
import { migration, type Migrations } from '#server/store/migrate.ts';

export interface GuideRunMemoryTable {
  id: number;
  /** JSON: core/run/memory.ts. */
  memory: string;
}

export interface GuideRunLineTable {
  run: string;
  n: number;
  /** JSON: a line of the journal. */
  line: string;
}

export interface GuideRunTable {
  id: string;
  at: number;
  /** null: the whole. */
  channel: string | null;
  /** 1: no run began. */
  skipped: number;
  /** JSON: a record of a run. */
  record: string;
}

export interface GuideEscalationTable {
  /** In the order of writing. */
  n: number;
  /** JSON: an escalation. */
  escalation: string;
}

export interface GuideRunLogTable {
  /** In the order of writing. */
  n: number;
  at: number;
  line: string;
}

export interface GuideProcessTable {
  owner: string;
  beat_at: number;
}

export interface GuideSettingTable {
  name: string;
  /** JSON. */
  value: string;
}

declare module '#server/store/schema.ts' {
  interface Database {
    guide_run_memory: GuideRunMemoryTable;
    guide_run_lines: GuideRunLineTable;
    guide_runs: GuideRunTable;
    guide_escalations: GuideEscalationTable;
    guide_run_log: GuideRunLogTable;
    guide_processes: GuideProcessTable;
    guide_settings: GuideSettingTable;
  }
}

/** With the columns that tell their rows apart. */
export const TABLES = {
  guide_run_memory: ['id'],
  guide_run_lines: ['run', 'n'],
  guide_runs: ['id'],
  guide_escalations: ['n'],
  guide_run_log: ['n'],
  guide_settings: ['name'],
} as const;

/** Who drives runs now is nothing that a backup has. */
export const DERIVED_TABLES = ['guide_processes'] as const;

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
};
