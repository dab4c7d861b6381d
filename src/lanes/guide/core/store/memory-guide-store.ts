/** Guides where nothing outlives the process: dry runs, the terminal, tests. What goes in and out is copied, as elsewhere. */
import { failed } from '#core/errors.ts';
import type { ChannelRecord, Dismissal, GuideDraft, GuideRecord, HealthPoint } from './guide-records.ts';
import type { LookupFailure, MendRow, PackedDay, ScheduleRow, StoredLineup } from './guide-records.ts';
import {
  MOST_POINTS,
  type ChangedMends,
  type DayRange,
  type GuideStage,
  type GuideStore,
  type MendScope,
  type StagedRows,
} from './guide-store.ts';
import { byNumber, byStoredOrder, isInRange, isInScope, placeKey } from './store-order.ts';

interface Rows {
  channels: ChannelRecord[];
  programmes: PackedDay[];
  faults: PackedDay[];
}

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

export class MemoryGuideStore implements GuideStore {
  readonly #guides = new Map<string, GuideRecord>();
  /** By guide: the import that was begun last. */
  readonly #stages = new Map<string, string>();
  /** By import. */
  readonly #rows = new Map<string, Rows>();
  readonly #lineups = new Map<string, StoredLineup>();
  readonly #mends = new Map<string, MendRow>();
  readonly #dismissals = new Map<string, Dismissal>();
  readonly #failures = new Map<string, LookupFailure>();
  readonly #schedules = new Map<string, ScheduleRow>();
  #lookups = { failed: 0, all: 0 };
  #points: HealthPoint[] = [];
  #imports = 0;

  guides(): Promise<GuideRecord[]> {
    return Promise.resolve(copy([...this.#guides.values()]).sort(byStoredOrder));
  }

  guide(id: string): Promise<GuideRecord | null> {
    return Promise.resolve(copy(this.#guides.get(id) ?? null));
  }

  stage(guide: string): Promise<GuideStage> {
    const id = `i${++this.#imports}`;
    this.#dropStage(guide);
    this.#stages.set(guide, id);
    const rows: Rows = { channels: [], programmes: [], faults: [] };
    this.#rows.set(id, rows);
    const holds = (): boolean => this.#stages.get(guide) === id;
    return Promise.resolve({
      add: async ({ channels = [], programmes = [], faults = [] }: StagedRows) => {
        if (!holds()) throw replaced();
        rows.channels.push(...copy(channels));
        rows.programmes.push(...copy(programmes));
        rows.faults.push(...copy(faults));
        return Promise.resolve();
      },
      finish: async (draft: GuideDraft) => {
        if (!holds()) throw replaced();
        const before = this.#guides.get(guide);
        if (before !== undefined) this.#rows.delete(before.import);
        this.#stages.delete(guide);
        this.#lookups = { failed: 0, all: 0 };
        const record = {
          ...copy(draft),
          schema_version: 1,
          id: guide,
          import: id,
        } as const;
        this.#guides.set(guide, {
          ...record,
          revision: (before?.revision ?? 0) + 1,
        });
        return Promise.resolve({
          ...record,
          revision: (before?.revision ?? 0) + 1,
        });
      },
      drop: async () => {
        if (holds()) this.#dropStage(guide);
        return Promise.resolve();
      },
    });
  }

  #dropStage(guide: string): void {
    const stage = this.#stages.get(guide);
    if (stage !== undefined) this.#rows.delete(stage);
    this.#stages.delete(guide);
  }

  remove(guide: string): Promise<void> {
    const record = this.#guides.get(guide);
    this.#dropStage(guide);
    if (record !== undefined) this.#rows.delete(record.import);
    this.#guides.delete(guide);
    this.#lineups.delete(guide);
    for (const kept of [this.#mends, this.#dismissals, this.#failures])
      for (const [key, row] of kept) if (row.guide === guide) kept.delete(key);
    return Promise.resolve();
  }

  channels(guide: string): Promise<ChannelRecord[]> {
    return Promise.resolve(copy(this.#rowsOf(guide)?.channels ?? []));
  }

  programmes(guide: string, range: DayRange): AsyncIterable<PackedDay> {
    return this.#days(guide, range, 'programmes');
  }

  faults(guide: string, range: DayRange): AsyncIterable<PackedDay> {
    return this.#days(guide, range, 'faults');
  }

  async *#days(guide: string, range: DayRange, kind: 'programmes' | 'faults'): AsyncGenerator<PackedDay> {
    const rows = this.#rowsOf(guide);
    if (rows === null) return;
    const place = new Map<string | null, number>(rows.channels.map(({ id }, at) => [id, at]));
    const found = rows[kind]
      .map((row, at) => ({
        row,
        at,
        channel: row.channel === null ? -1 : (place.get(row.channel) ?? 0),
      }))
      .filter(({ row }) => isInRange(row, range))
      .sort((a, b) => a.channel - b.channel || (a.row.day ?? -Infinity) - (b.row.day ?? -Infinity) || a.at - b.at);
    for (const { row } of found) {
      if (this.#rowsOf(guide) !== rows) throw replaced();
      yield await Promise.resolve(copy(row));
    }
  }

  #rowsOf(guide: string): Rows | null {
    const record = this.#guides.get(guide);
    return (record && this.#rows.get(record.import)) ?? null;
  }

  lineup(guide: string): Promise<StoredLineup | null> {
    return Promise.resolve(copy(this.#lineups.get(guide) ?? null));
  }

  async putLineup(guide: string, lineup: StoredLineup | null): Promise<void> {
    if (!this.#guides.has(guide)) throw failed('not_found', 'This guide is not there any more.');
    if (lineup === null) this.#lineups.delete(guide);
    else this.#lineups.set(guide, copy(lineup));
    this.#changed([guide]);
    return Promise.resolve();
  }

  #changed(guides: Iterable<string>): void {
    for (const id of new Set(guides)) {
      const record = this.#guides.get(id);
      if (record !== undefined) this.#guides.set(id, { ...record, revision: record.revision + 1 });
    }
  }

  mends(scope: MendScope): Promise<MendRow[]> {
    return Promise.resolve(this.#mendsOf(scope));
  }

  #mendsOf(scope: MendScope): MendRow[] {
    return copy([...this.#mends.values()].filter((row) => isInScope(row, scope)));
  }

  mendsOfRun(run: string): Promise<MendRow[]> {
    return Promise.resolve(copy([...this.#mends.values()].filter((row) => row.run === run)));
  }

  async changeMends<Value>(scope: MendScope, work: (rows: MendRow[]) => ChangedMends<Value>): Promise<Value> {
    await Promise.resolve();
    const { put, value } = work(this.#mendsOf(scope));
    for (const row of put) this.#mends.set(row.id, copy(row));
    this.#changed(put.map(({ guide }) => guide));
    return value;
  }

  dismissals(): Promise<Dismissal[]> {
    return Promise.resolve(copy([...this.#dismissals.values()].sort((a, b) => a.at - b.at)));
  }

  putDismissals(dismissals: readonly Dismissal[]): Promise<void> {
    for (const dismissal of dismissals) this.#dismissals.set(dismissal.id, copy(dismissal));
    return Promise.resolve();
  }

  removeDismissals(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#dismissals.delete(id);
    return Promise.resolve();
  }

  lookupFailures(): Promise<LookupFailure[]> {
    return Promise.resolve(copy([...this.#failures.values()].sort((a, b) => a.at - b.at)));
  }

  lookupCounts(): Promise<{ failed: number; all: number }> {
    return Promise.resolve({ ...this.#lookups });
  }

  noteLookups({ failed: lost, answered }: Parameters<GuideStore['noteLookups']>[0]): Promise<void> {
    for (const place of answered) this.#failures.delete(placeKey(place));
    for (const failure of lost) this.#failures.set(placeKey(failure), copy(failure));
    this.#lookups = {
      failed: this.#lookups.failed + lost.length,
      all: this.#lookups.all + lost.length + answered.length,
    };
    return Promise.resolve();
  }

  schedules(): Promise<ScheduleRow[]> {
    return Promise.resolve(copy([...this.#schedules.values()]).sort(byNumber));
  }

  putSchedule(row: ScheduleRow): Promise<void> {
    this.#schedules.set(row.channel.id, copy(row));
    return Promise.resolve();
  }

  removeSchedule(channel: string): Promise<void> {
    this.#schedules.delete(channel);
    return Promise.resolve();
  }

  points(): Promise<HealthPoint[]> {
    return Promise.resolve(copy(this.#points));
  }

  notePoint(point: HealthPoint): Promise<void> {
    this.#points = [...this.#points, copy(point)].slice(-MOST_POINTS);
    return Promise.resolve();
  }
}

const replaced = (): Error =>
  failed('conflict', 'The guide was replaced meanwhile.', {
    remedy: 'Try again: it is read anew.',
  });
