/** The tables of the guide lane in the workstation's database. Rows of programmes and faults are texts (core/store/packed.ts). */
import type { Table } from 'dexie';
import type { TableVersion } from '#adapters/browser/db.ts';
import type { Escalation, RunRecord } from '#lanes/guide/core/run/run.types.ts';
import type {
  ChannelRecord,
  Dismissal,
  GuideRecord,
  HealthPoint,
  LookupFailure,
  MendRow,
  ScheduleRow,
  StoredLineup,
} from '#lanes/guide/core/store/guide-records.ts';

/** The import of a guide that was begun last, and is not finished. History: 1 first form. */
export interface GuideStageRow {
  guide: string;
  import: string;
}

export interface GuideChannelRow {
  import: string;
  /** Its place. */
  n: number;
  channel: ChannelRecord;
}

/** Programmes or faults of a channel and a day. History: 1 first form. */
export interface GuideDayRow {
  seq?: number;
  import: string;
  /** `c` and the channel's id; '' of none. */
  of: string;
  /** `NO_DAY` without one: an index has no null. */
  day: number;
  count: number;
  data: string;
}

/** Numbers and texts of which there is one each: `lookups`, `runs` (JSON of the runs' memory), `log`,
 * `restarts`, `derived` (marks of channels). */
export interface GuideStateRow {
  key: string;
  value: unknown;
}

declare module '#adapters/browser/db.ts' {
  interface AccessionDb {
    guide_sources: Table<GuideRecord, string>;
    guide_stages: Table<GuideStageRow, string>;
    guide_channels: Table<GuideChannelRow, [string, number]>;
    guide_days: Table<GuideDayRow, number>;
    guide_faults: Table<GuideDayRow, number>;
    guide_lineups: Table<StoredLineup & { guide: string }, string>;
    guide_mends: Table<MendRow & { seq?: number }, number>;
    guide_dismissals: Table<Dismissal, string>;
    guide_lookups: Table<LookupFailure & { key: string }, string>;
    guide_schedules: Table<ScheduleRow & { id: string }, string>;
    guide_points: Table<HealthPoint & { seq?: number }, number>;
    guide_state: Table<GuideStateRow, string>;
    guide_runs: Table<RunRecord & { seq?: number }, number>;
    guide_journal: Table<{ run: string; n: number; line: string }, [string, number]>;
    guide_escalations: Table<Escalation & { seq?: number }, number>;
  }
}

export const tables: readonly TableVersion[] = [
  {
    since: 16,
    stores: {
      guide_sources: 'id',
      guide_stages: 'guide',
      guide_channels: '[import+n], import',
      guide_days: '++seq, [import+of+day], import',
      guide_faults: '++seq, [import+of+day], import',
      guide_lineups: 'guide',
      guide_mends: '++seq, &id, guide, [guide+channel], run',
      guide_dismissals: 'id, guide',
      guide_lookups: 'key, guide',
      guide_schedules: 'id',
      guide_points: '++seq',
      guide_state: 'key',
      guide_runs: '++seq, &id, at',
      guide_journal: '[run+n], run',
      guide_escalations: '++seq, at',
    },
  },
];
