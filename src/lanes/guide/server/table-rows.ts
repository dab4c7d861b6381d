/** Rows of the tables of guides, as TypeScript knows them. What each table is for is said where they are made (tables.ts). */

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

export interface GuideTable {
  id: string;
  /** Of the rows that are read. */
  import: string;
  revision: number;
  /** JSON: a GuideDraft. */
  draft: string;
}

export interface GuideChannelTable {
  import: string;
  n: number;
  id: string;
  /** JSON: a ChannelRecord. */
  channel: string;
}

export interface GuideDayTable {
  import: string;
  /** 0: programmes, 1: faults. */
  faults: number;
  /** `c` and the channel's id; empty: of none. */
  channel: string;
  /** -1: no start that can be read. */
  day: number;
  n: number;
  count: number;
  data: string;
}

export interface GuideMendTable {
  id: string;
  /** In the order of making. */
  n: number;
  guide: string;
  run: string | null;
  /** JSON: a MendRow. */
  mend: string;
}

/** A row of a guide as JSON. */
export interface GuideRowTable {
  id: string;
  guide: string;
  at: number;
  value: string;
}

export interface GuideAddressTable {
  guide: string;
  /** As it was given, what signs in included: in no answer and no log. */
  url: string;
  etag: string | null;
}

export interface GuideKeyTable {
  id: string;
  name: string;
  /** The one that it reads. */
  guide: string;
  key_hash: string;
  created_at: number;
  created_by: string;
  revoked_at: number | null;
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
    guides: GuideTable;
    guide_stages: { guide: string; import: string };
    guide_channels: GuideChannelTable;
    guide_days: GuideDayTable;
    guide_lineups: { guide: string; lineup: string };
    guide_mends: GuideMendTable;
    guide_dismissals: GuideRowTable;
    guide_lookups: GuideRowTable;
    guide_addresses: GuideAddressTable;
    guide_schedules: { channel: string; schedule: string };
    guide_points: { n: number; point: string };
    guide_keys: GuideKeyTable;
    guide_items: { id: string; item: string };
  }
}
