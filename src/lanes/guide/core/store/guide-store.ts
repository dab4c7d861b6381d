/**
 * What guides need of a store. Conformance: tests/contract/guide-store.ts. Rows of programmes and faults are opaque texts
 * to it. All that it throws is AccessionError: `not_found` where a guide is not there, `conflict` where it was replaced on
 * the way, `storage_full` where there is no space.
 *
 *   stage -> add, add, ... -> finish (the guide is what was staged, in one transaction) | drop
 */
import type { Steps } from '#core/steps.ts';
import type {
  ChannelRecord,
  Dismissal,
  GuideDraft,
  GuideRecord,
  HealthPoint,
  LookupFailure,
  MendRow,
  PackedDay,
  ScheduleRow,
  StoredLineup,
} from './guide-records.ts';

/** Which rows: of all channels where they are null; days [from, to), null where all are wanted, those without one too. */
export interface DayRange {
  channels: readonly string[] | null;
  days: { from: number; to: number } | null;
}

export const EVERYTHING: DayRange = { channels: null, days: null };

/** Which mends: of all guides, of all channels where null. */
export interface MendScope {
  guides: readonly string[] | null;
  channels: readonly string[] | null;
}

export interface StagedRows {
  /** Every channel that a row of programmes names is among the channels of the import. */
  channels?: readonly ChannelRecord[];
  programmes?: readonly PackedDay[];
  faults?: readonly PackedDay[];
}

/** An import on its way in; nobody sees it. */
export interface GuideStage {
  /** May name a channel and a day again: more of them. */
  add(rows: StagedRows): Promise<void>;
  /**
   * The guide is what was staged, in one transaction; what it was is gone. Counts of look-ups begin anew. `conflict` where
   * another import of the guide was begun after this one.
   */
  finish(draft: GuideDraft): Promise<GuideRecord>;
  /** Nothing is left of it. No error where it is over. */
  drop(): Promise<void>;
}

export interface ChangedMends<Value> {
  /** Rows to write, new and changed; by their id. */
  put: readonly MendRow[];
  value: Value;
}

/** What is made of the mends that are there; in steps where it may be long. */
export type MendWork<Value> = (rows: MendRow[]) => ChangedMends<Value> | Steps<ChangedMends<Value>>;

export interface GuideStore {
  /** Lets others have their turn, where others wait for it: for whoever goes over much of a guide, between two steps. */
  rest(): Promise<void>;
  /** By kind and name. */
  guides(): Promise<GuideRecord[]>;
  guide(id: string): Promise<GuideRecord | null>;
  /** Begins an import; what an earlier one of the same guide left unfinished is dropped. */
  stage(guide: string): Promise<GuideStage>;
  /** With its channels, programmes, faults, lineup, mends, dismissals and failures. No error where it is not there. */
  remove(guide: string): Promise<void>;

  /** In the order in which they were staged; none where there is no such guide. */
  channels(guide: string): Promise<ChannelRecord[]>;
  /**
   * By channel in the order of `channels`, then by day, those without one first, then as they were added. All of one import:
   * `conflict` where the guide is replaced before all was read.
   */
  programmes(guide: string, range: DayRange): AsyncIterable<PackedDay>;
  /** The same, those of no channel first, whatever channels are asked for. */
  faults(guide: string, range: DayRange): AsyncIterable<PackedDay>;

  lineup(guide: string): Promise<StoredLineup | null>;
  /** `not_found` where there is no such guide. Its revision is one more. */
  putLineup(guide: string, lineup: StoredLineup | null): Promise<void>;

  /** In the order in which they were made. */
  mends(scope: MendScope): Promise<MendRow[]>;
  /** Of a run, in the order in which they were made. */
  mendsOfRun(run: string): Promise<MendRow[]>;
  /**
   * Reads the mends of the scope and writes what the work made of them, in one transaction that no other comes between; the
   * work may be called again where one did, and does nothing but answer. The revision of each guide with a row in `put` is
   * one more.
   */
  changeMends<Value>(scope: MendScope, work: MendWork<Value>): Promise<Value>;

  /** The oldest first. */
  dismissals(): Promise<Dismissal[]>;
  putDismissals(dismissals: readonly Dismissal[]): Promise<void>;
  /** No error for those that are not there. */
  removeDismissals(ids: readonly string[]): Promise<void>;

  /** Those that no later look-up of the same place answered, the oldest first. */
  lookupFailures(): Promise<LookupFailure[]>;
  /** Look-ups since the last import. */
  lookupCounts(): Promise<{ failed: number; all: number }>;
  /** Ends of look-ups. A place is guide, channel and start; one that is answered has failed no more. */
  noteLookups(ends: {
    failed: readonly LookupFailure[];
    answered: readonly Pick<LookupFailure, 'guide' | 'channel' | 'start'>[];
  }): Promise<void>;

  /** By number. */
  schedules(): Promise<ScheduleRow[]>;
  /** New or in place of the one with its id. */
  putSchedule(row: ScheduleRow): Promise<void>;
  removeSchedule(channel: string): Promise<void>;

  /** The oldest first, `MOST_POINTS` at most. */
  points(): Promise<HealthPoint[]>;
  /** The oldest goes where there are too many. */
  notePoint(point: HealthPoint): Promise<void>;
}

export const MOST_POINTS = 500;
