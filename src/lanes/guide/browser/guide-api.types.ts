/** What the Guide page may ask of its worker. */
import type { Result } from '#core/result.ts';
import type { Gates } from '#lanes/guide/core/app/gates.ts';
import type { DryRun } from '#lanes/guide/core/app/guide-app.ts';
import type { Answered, AnswerWish } from '#lanes/guide/core/app/answers.ts';
import type { EditedField } from '#lanes/guide/core/app/edited-value.ts';
import type { Undone, UndoWish } from '#lanes/guide/core/app/undo.ts';
import type { WhatMends } from '#lanes/guide/core/app/what-mends.ts';
import type { MetadataIssue } from '#lanes/guide/core/faults/analyze.ts';
import type { FaultType } from '#lanes/guide/core/faults/fault.ts';
import type { Escalation, RunRecord, SkipReason } from '#lanes/guide/core/run/run.types.ts';
import type { RunEnvelope } from '#lanes/guide/core/run/question.ts';
import type { ScheduleChannel } from '#lanes/guide/core/schedule/types.ts';
import type {
  Dismissal,
  GuideRecord,
  HealthPoint,
  MendRow,
  ScheduleRow,
  StoredFault,
} from '#lanes/guide/core/store/guide-records.ts';

export type {
  Answered,
  AnswerWish,
  Dismissal,
  DryRun,
  EditedField,
  Escalation,
  FaultType,
  Gates,
  GuideRecord,
  HealthPoint,
  MendRow,
};
export type { RunRecord, ScheduleChannel, ScheduleRow, Undone, UndoWish, WhatMends };

export interface ImportProgress {
  /** Of the file, as it is packed. */
  share: number;
  programmes: number;
}

/** What a file turned out to be. */
export type Taken =
  { kind: 'guide'; guide: GuideRecord } | { kind: 'lineup'; entries: number; unreadable: string | null };

export interface FaultWish {
  guide: string | null;
  channel: string | null;
  type: FaultType | null;
  code: string | null;
  offset: number;
  limit: number;
}

/** An open fault as the page shows it. */
export interface FaultRow extends StoredFault {
  guide: string;
  /** What is wrong, as the end of a sentence. */
  words: string;
  mends: WhatMends;
  /** Of its programme, or the name of its channel; null: it has none. */
  text: string | null;
}

export interface ChannelName {
  id: string;
  name: string;
}

export interface Health {
  guides: readonly GuideRecord[];
  /** Names of guides' lineups, by guide. */
  lineups: Readonly<Record<string, string>>;
  programmes: number;
  failing: number;
  counts: Readonly<Record<FaultType, number>>;
  codes: Readonly<Partial<Record<FaultType, Readonly<Record<string, number>>>>>;
  envelope: RunEnvelope;
  issues: readonly MetadataIssue[];
  points: readonly HealthPoint[];
  gates: Gates;
  dismissals: readonly Dismissal[];
  escalations: readonly (Escalation & { words: string })[];
}

/** A programme in the grid. */
export interface Cell {
  guide: string;
  channel: string;
  start: number;
  /** Its own stop, else the next start; null: neither. */
  stop: number | null;
  where: string;
  about: number;
  title: string;
  subTitle: string;
  faults: readonly { type: FaultType; code: string | null; words: string }[];
  /** Fields that a mend lies over. */
  mended: readonly string[];
}

export interface GridRow {
  guide: string;
  channel: string;
  name: string;
  cells: readonly Cell[];
}

export interface GridWish {
  from: number;
  to: number;
  offset: number;
  limit: number;
}

export interface Grid {
  /** Of all guides. */
  channels: number;
  rows: readonly GridRow[];
  /** First and last start that any guide has; null: there is none. */
  span: { from: number; to: number } | null;
}

/** What source and mends say of a programme, side by side. */
export interface Card {
  /** Of its channel. */
  name: string;
  fields: readonly { field: string; source: string; now: string; mend: MendRow | null }[];
}

export type Began = { begun: true; run: string } | { begun: false; reason: SkipReason };

export interface GuideApi {
  /** A guide or a lineup, by content; a lineup goes to `guide`, else to the one that came last. */
  take(file: File, guide: string | null, onProgress: (progress: ImportProgress) => void): Promise<Result<Taken>>;
  cancel(): void;
  remove(guide: string): Promise<Result<null>>;
  exported(guide: string, packed: boolean): Promise<Result<Blob>>;
  lineupFile(guide: string, form: 'json' | 'm3u'): Promise<Result<{ text: string; missing: string | null }>>;
  /** Of one channel, or (null) of the whole. */
  health(channel: string | null): Promise<Result<Health>>;
  /** By name. */
  channels(): Promise<Result<ChannelName[]>>;
  faults(wish: FaultWish): Promise<Result<{ total: number; rows: FaultRow[] }>>;
  grid(wish: GridWish): Promise<Result<Grid>>;
  card(cell: Pick<Cell, 'guide' | 'channel' | 'start' | 'about'>): Promise<Result<Card>>;
  /** Comes back when the run is over. */
  run(channel: string | null): Promise<Result<Began>>;
  dryRun(channel: string | null): Promise<Result<DryRun>>;
  undo(wish: UndoWish): Promise<Result<Undone>>;
  /** A question; null: it is not about the guide. Does not wait for the run. */
  asked(text: string, channel: string | null): Promise<Result<Began | null>>;
  lift(channel: string | null): Promise<Result<null>>;
  runs(limit: number): Promise<Result<{ records: RunRecord[]; mends: MendRow[] }>>;
  dismiss(guide: string, of: readonly Dismissal['of'][]): Promise<Result<string[]>>;
  restore(ids: readonly string[]): Promise<Result<null>>;
  /** A person's edit. `after` '': the field is left empty. */
  edit(
    cell: Pick<Cell, 'guide' | 'channel' | 'start' | 'about'>,
    field: EditedField,
    after: string,
  ): Promise<Result<null>>;
  /** A person's answer to all open faults of a code at once. */
  answer(wish: AnswerWish): Promise<Result<Answered>>;
  schedules(): Promise<Result<{ rows: ScheduleRow[]; shows: { id: string; title: string; videos: number }[] }>>;
  putSchedule(row: ScheduleRow): Promise<Result<null>>;
  removeSchedule(channel: string): Promise<Result<null>>;
  preview(
    channel: ScheduleChannel,
    days: number,
  ): Promise<Result<{ programmes: { start: number; stop: number; title: string }[]; conflicts: string[] }>>;
  /** Begins the cadence, where no other tab has it. */
  watch(): Promise<void>;
}
