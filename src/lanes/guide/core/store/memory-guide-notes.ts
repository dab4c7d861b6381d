/** What is noted beside guides, where nothing outlives the process: dismissals, look-ups, schedules, health over time. */
import type { Dismissal, HealthPoint, LookupFailure, ScheduleRow } from './guide-records.ts';
import { MOST_POINTS, type GuideStore } from './guide-store.ts';
import { byNumber, placeKey } from './store-order.ts';

/** What goes in and out is copied, as elsewhere. */
export const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

export class MemoryGuideNotes {
  readonly #dismissals = new Map<string, Dismissal>();
  readonly #failures = new Map<string, LookupFailure>();
  readonly #schedules = new Map<string, ScheduleRow>();
  #lookups = { failed: 0, all: 0 };
  #points: HealthPoint[] = [];

  /** The guide is gone. */
  protected forget(guide: string): void {
    for (const kept of [this.#dismissals, this.#failures])
      for (const [key, row] of kept) if (row.guide === guide) kept.delete(key);
  }

  /** A guide came in: counts of look-ups begin anew. */
  protected beginLookups(): void {
    this.#lookups = { failed: 0, all: 0 };
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
