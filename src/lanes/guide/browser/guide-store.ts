/** Guides in IndexedDB. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { failed } from '#core/errors.ts';
import type { Ids } from '#core/ports.ts';
import { atOnce } from '#core/steps.ts';
import type { MendRow } from '#lanes/guide/core/store/guide-records.ts';
import { MOST_POINTS } from '#lanes/guide/core/store/guide-store.ts';
import type { GuideStore, MendScope, MendWork } from '#lanes/guide/core/store/guide-store.ts';
import { byNumber, byStoredOrder, isInScope, placeKey } from '#lanes/guide/core/store/store-order.ts';
import { channelsOf, days } from './guide-days.ts';
import { removeGuide, stageOf } from './guide-stage.ts';
import './schema.ts';

export function dexieGuideStore(db: AccessionDb, ids: Ids): GuideStore {
  return {
    // Nobody else waits for the worker's thread.
    rest: () => Promise.resolve(),
    guides: async () => (await db.guide_sources.toArray()).sort(byStoredOrder),
    guide: async (id) => (await db.guide_sources.get(id)) ?? null,
    stage: (guide) => stageOf(db, guide, ids.next()),
    remove: (guide) => removeGuide(db, guide),

    channels: async (guide) =>
      db.transaction('r', [db.guide_sources, db.guide_channels], async () => {
        const record = await db.guide_sources.get(guide);
        return record === undefined ? [] : channelsOf(db, record.import);
      }),
    programmes: (guide, range) => days(db, 'guide_days', guide, range),
    faults: (guide, range) => days(db, 'guide_faults', guide, range),

    async lineup(guide) {
      const row = await db.guide_lineups.get(guide);
      return row === undefined ? null : { name: row.name, read: row.read };
    },
    putLineup: (guide, lineup) =>
      db.transaction('rw', [db.guide_sources, db.guide_lineups], async () => {
        if ((await db.guide_sources.get(guide)) === undefined)
          throw failed('not_found', 'This guide is not there any more.');
        if (lineup === null) await db.guide_lineups.delete(guide);
        else await db.guide_lineups.put({ ...lineup, guide });
        await countRevisions(db, [guide]);
      }),

    mends: (scope) => mendsOf(db, scope),
    mendsOfRun: async (run) => (await db.guide_mends.where('run').equals(run).sortBy('seq')).map(withoutSeq),
    changeMends: <Value>(scope: MendScope, work: MendWork<Value>) =>
      db.transaction('rw', [db.guide_sources, db.guide_mends], async () => {
        const made = work(await mendsOf(db, scope));
        const { put, value } = 'put' in made ? made : atOnce(made);
        const known = await db.guide_mends
          .where('id')
          .anyOf(put.map(({ id }) => id))
          .toArray();
        const seqs = new Map(known.map(({ id, seq }) => [id, seq]));
        await db.guide_mends.bulkPut(
          put.map((row) => {
            const seq = seqs.get(row.id);
            return seq === undefined ? row : { ...row, seq };
          }),
        );
        await countRevisions(
          db,
          put.map(({ guide }) => guide),
        );
        return value;
      }),

    dismissals: async () => (await db.guide_dismissals.toArray()).sort((a, b) => a.at - b.at),
    putDismissals: async (dismissals) => void (await db.guide_dismissals.bulkPut([...dismissals])),
    removeDismissals: (gone) => db.guide_dismissals.bulkDelete([...gone]),

    lookupFailures: async () =>
      (await db.guide_lookups.toArray()).sort((a, b) => a.at - b.at).map(({ key: _key, ...failure }) => failure),
    lookupCounts: () => lookupCounts(db),
    noteLookups: ({ failed: lost, answered }) =>
      db.transaction('rw', [db.guide_lookups, db.guide_state], async () => {
        await db.guide_lookups.bulkDelete(answered.map(placeKey));
        await db.guide_lookups.bulkPut(lost.map((failure) => ({ ...failure, key: placeKey(failure) })));
        const { failed: before, all } = await lookupCounts(db);
        const value = { failed: before + lost.length, all: all + lost.length + answered.length };
        await db.guide_state.put({ key: 'lookups', value });
      }),

    schedules: async () => (await db.guide_schedules.toArray()).map(({ id: _id, ...row }) => row).sort(byNumber),
    putSchedule: async (row) => void (await db.guide_schedules.put({ ...row, id: row.channel.id })),
    removeSchedule: (channel) => db.guide_schedules.delete(channel),

    points: async () => (await db.guide_points.orderBy('seq').toArray()).map(withoutSeq),
    notePoint: (point) =>
      db.transaction('rw', db.guide_points, async () => {
        const seq = await db.guide_points.add({ ...point });
        await db.guide_points
          .where('seq')
          .belowOrEqual(seq - MOST_POINTS)
          .delete();
      }),
  };
}

const withoutSeq = <Row extends object>({ seq: _seq, ...row }: Row & { seq?: number }): Omit<Row, 'seq'> & Row =>
  row as unknown as Omit<Row, 'seq'> & Row;

async function mendsOf(db: AccessionDb, scope: MendScope): Promise<MendRow[]> {
  const { guides, channels } = scope;
  const found =
    guides === null
      ? db.guide_mends.orderBy('seq')
      : channels === null
        ? db.guide_mends.where('guide').anyOf([...guides])
        : db.guide_mends.where('[guide+channel]').anyOf(guides.flatMap((guide) => channels.map((of) => [guide, of])));
  return (await found.sortBy('seq')).map(withoutSeq).filter((row) => isInScope(row, scope));
}

async function countRevisions(db: AccessionDb, guides: readonly string[]): Promise<void> {
  for (const id of new Set(guides)) {
    const record = await db.guide_sources.get(id);
    if (record !== undefined) await db.guide_sources.put({ ...record, revision: record.revision + 1 });
  }
}

async function lookupCounts(db: AccessionDb): Promise<{ failed: number; all: number }> {
  const row = await db.guide_state.get('lookups');
  return (row?.value as { failed: number; all: number } | undefined) ?? { failed: 0, all: 0 };
}
