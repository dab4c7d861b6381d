/** What is kept beside guides: what people dismissed, failed look-ups, schedules, health over time. */
import type { Dismissal, HealthPoint, LookupFailure, ScheduleRow } from '#lanes/guide/core/store/guide-records.ts';
import { MOST_POINTS, type GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import { byNumber, placeKey } from '#lanes/guide/core/store/store-order.ts';
import { chunks, upsert } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';
import { readSetting, writeSetting } from '../settings.ts';
import { keptOrFull } from './store-failure.ts';

const LOOKUPS = 'lookups';
interface Lookups {
  failed: number;
  all: number;
}
const NONE: Lookups = { failed: 0, all: 0 };

type Notes = Pick<
  GuideStore,
  | 'dismissals'
  | 'putDismissals'
  | 'removeDismissals'
  | 'lookupFailures'
  | 'lookupCounts'
  | 'noteLookups'
  | 'schedules'
  | 'putSchedule'
  | 'removeSchedule'
  | 'points'
  | 'notePoint'
>;

export class SqlGuideNotes implements Notes {
  readonly #store: Pick<Store, 'db' | 'write'>;

  constructor(store: Pick<Store, 'db' | 'write'>) {
    this.#store = store;
  }

  async dismissals(): Promise<Dismissal[]> {
    const rows = this.#store.db.selectFrom('guide_dismissals').select('value').orderBy('at').orderBy('id');
    return (await rows.execute()).map(({ value }) => JSON.parse(value) as Dismissal);
  }

  async putDismissals(dismissals: readonly Dismissal[]): Promise<void> {
    const rows = dismissals.map((one) => ({ id: one.id, guide: one.guide, at: one.at, value: JSON.stringify(one) }));
    await keptOrFull(() => this.#store.write((tx) => upsert(tx, 'guide_dismissals', rows)));
  }

  async removeDismissals(ids: readonly string[]): Promise<void> {
    await this.#store.write(async (tx) => {
      for (const part of chunks(ids)) await tx.deleteFrom('guide_dismissals').where('id', 'in', part).execute();
    });
  }

  async lookupFailures(): Promise<LookupFailure[]> {
    const rows = this.#store.db.selectFrom('guide_lookups').select('value').orderBy('at').orderBy('id');
    return (await rows.execute()).map(({ value }) => JSON.parse(value) as LookupFailure);
  }

  async lookupCounts(): Promise<Lookups> {
    return ((await readSetting(this.#store.db, LOOKUPS)) as Lookups | null) ?? { ...NONE };
  }

  async noteLookups({ failed, answered }: Parameters<GuideStore['noteLookups']>[0]): Promise<void> {
    const rows = failed.map((one) => ({ id: placeKey(one), guide: one.guide, at: one.at, value: JSON.stringify(one) }));
    await keptOrFull(() =>
      this.#store.write(async (tx) => {
        for (const part of chunks(answered.map(placeKey)))
          await tx.deleteFrom('guide_lookups').where('id', 'in', part).execute();
        await upsert(tx, 'guide_lookups', rows);
        const before = ((await readSetting(tx, LOOKUPS)) as Lookups | null) ?? NONE;
        const ended = failed.length + answered.length;
        await writeSetting(tx, LOOKUPS, { failed: before.failed + failed.length, all: before.all + ended });
      }),
    );
  }

  async schedules(): Promise<ScheduleRow[]> {
    const rows = await this.#store.db.selectFrom('guide_schedules').select('schedule').execute();
    return rows.map(({ schedule }) => JSON.parse(schedule) as ScheduleRow).sort(byNumber);
  }

  async putSchedule(row: ScheduleRow): Promise<void> {
    const kept = { channel: row.channel.id, schedule: JSON.stringify(row) };
    await keptOrFull(() => this.#store.write((tx) => upsert(tx, 'guide_schedules', [kept], { key: ['channel'] })));
  }

  async removeSchedule(channel: string): Promise<void> {
    await this.#store.write((tx) => tx.deleteFrom('guide_schedules').where('channel', '=', channel).execute());
  }

  async points(): Promise<HealthPoint[]> {
    const rows = await this.#store.db.selectFrom('guide_points').select('point').orderBy('n').execute();
    return rows.map(({ point }) => JSON.parse(point) as HealthPoint);
  }

  async notePoint(point: HealthPoint): Promise<void> {
    await keptOrFull(() =>
      this.#store.write(async (tx) => {
        const last = tx.selectFrom('guide_points').select((eb) => eb.fn.max('n').as('n'));
        const n = Number((await last.executeTakeFirst())?.n ?? 0) + 1;
        await tx
          .insertInto('guide_points')
          .values({ n, point: JSON.stringify(point) })
          .execute();
        await tx
          .deleteFrom('guide_points')
          .where('n', '<=', n - MOST_POINTS)
          .execute();
      }),
    );
  }
}

/** An import came in: look-ups are counted anew. */
export async function noLookups(tx: Tx): Promise<void> {
  await writeSetting(tx, LOOKUPS, NONE);
}
