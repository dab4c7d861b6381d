/**
 * Runs of playbooks in the catalog's database:
 *
 *   playbook_runs --< playbook_run_lines   its journal in pieces, each what became durable together
 *        `----------< playbook_run_files   texts that it reads and wrote, each in parts
 */
import { migration, type Migrations } from '#server/store/migrate.ts';

export interface PlaybookRunTable {
  id: string;
  user_id: string;
  name: string;
  /** `waiting`: it wants a worker, or has one; else how it ended. */
  state: string;
  /** 1: it is to be cancelled. */
  cancel: number;
  /** 1: steps of it name tools, which not every worker has. */
  tools: number;
  /** JSON: core/shared/run-protocol.ts, `NewRun` without its files. */
  wish: string;
  /** JSON: `SaidEnd`; null: it has none. */
  ended: string | null;
  /** Of its files and its journal. */
  bytes: number;
  /** Pieces of its journal. */
  pieces: number;
  created_at: number;
  updated_at: number;
  lease_id: string | null;
  lease_until: number | null;
  worker: string | null;
  /** Workers that fell silent at it, one after the other. */
  lost: number;
}

declare module '#server/store/schema.ts' {
  interface Database {
    playbook_runs: PlaybookRunTable;
    playbook_run_lines: { run: string; n: number; content: string };
    playbook_run_files: { run: string; path: string; part: number; made: number; content: string };
  }
}

export const TABLES = {
  playbook_runs: ['id'],
  playbook_run_lines: ['run', 'n'],
  playbook_run_files: ['run', 'path', 'part'],
} as const;

export const migrations: Migrations = {
  '0033-playbook-runs': migration(
    ({ clustered }) => `
    create table playbook_runs (
      id text primary key, user_id text not null, name text not null, state text not null, cancel integer not null, tools integer not null,
      wish text not null, ended text, bytes bigint not null, pieces integer not null, created_at bigint not null,
      updated_at bigint not null, lease_id text unique, lease_until bigint, worker text, lost integer not null
    );
    create index playbook_runs_in_order on playbook_runs (user_id, created_at, id);
    create index playbook_runs_waiting on playbook_runs (state, created_at, id);
    create table playbook_run_lines (
      run text not null, n integer not null, content text not null,
      constraint playbook_run_lines_once primary key (run, n)
    )${clustered};
    create table playbook_run_files (
      run text not null, path text not null, part integer not null, made integer not null, content text not null,
      constraint playbook_run_files_once primary key (run, path, part)
    )${clustered}`,
  ),
};
