/** Guides in IndexedDB. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { failed, isQuotaExceeded } from '#core/errors.ts';
import type { Ids } from '#core/ports.ts';
import type { GuideDraft, GuideRecord, MendRow, PackedDay } from '#lanes/guide/core/store/guide-records.ts';
import { MOST_POINTS } from '#lanes/guide/core/store/guide-store.ts';
import type {
  ChangedMends,
  DayRange,
  GuideStage,
  GuideStore,
  MendScope,
  StagedRows,
} from '#lanes/guide/core/store/guide-store.ts';
import { byNumber, byStoredOrder, isInScope, placeKey } from '#lanes/guide/core/store/store-order.ts';
import type { GuideDayRow } from './schema.ts';

/** Before every day. */
const NO_DAY = -1_000_000_000;
/** Channels that are read in one transaction. */
const TOGETHER = 40;

const keyOf = (channel: string | null): string => (channel === null ? '' : `c${channel}`);

export function dexieGuideStore(db: AccessionDb, ids: Ids): GuideStore {
  return {
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
    changeMends: <Value>(scope: MendScope, work: (rows: MendRow[]) => ChangedMends<Value>) =>
      db.transaction('rw', [db.guide_sources, db.guide_mends], async () => {
        const { put, value } = work(await mendsOf(db, scope));
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

const channelsOf = async (db: AccessionDb, of: string) =>
  (await db.guide_channels.where('[import+n]').between([of, 0], [of, Infinity]).toArray()).map(
    ({ channel }) => channel,
  );

async function* days(
  db: AccessionDb,
  table: 'guide_days' | 'guide_faults',
  guide: string,
  range: DayRange,
): AsyncGenerator<PackedDay> {
  const record = await db.guide_sources.get(guide);
  if (record === undefined) return;
  const known = (await channelsOf(db, record.import)).map(({ id }) => id);
  const wanted = range.channels === null ? null : new Set(range.channels);
  const channels = [null, ...known.filter((id) => wanted?.has(id) ?? true)];
  for (let at = 0; at < channels.length; at += TOGETHER)
    yield* await readDays(db, table, record, channels.slice(at, at + TOGETHER), range);
}

/** Of some channels, where the guide is still the one that was begun with. */
async function readDays(
  db: AccessionDb,
  table: 'guide_days' | 'guide_faults',
  { id, import: of }: GuideRecord,
  channels: readonly (string | null)[],
  { days: wanted }: DayRange,
): Promise<PackedDay[]> {
  const found = await db.transaction('r', [db.guide_sources, db[table]], async () => {
    if ((await db.guide_sources.get(id))?.import !== of) throw replaced();
    return Promise.all(
      channels.map((channel) => {
        // What belongs to no channel belongs to every day.
        const [from, to] = channel === null || wanted === null ? [-Infinity, Infinity] : [wanted.from, wanted.to];
        return db[table]
          .where('[import+of+day]')
          .between([of, keyOf(channel), from], [of, keyOf(channel), to])
          .toArray();
      }),
    );
  });
  return found.flatMap((rows) => rows.sort((a, b) => a.day - b.day || (a.seq ?? 0) - (b.seq ?? 0)).map(packedDay));
}

const packedDay = ({ of, day, count, data }: GuideDayRow): PackedDay => ({
  ...{ channel: of === '' ? null : of.slice(1), day: day === NO_DAY ? null : day, count, data },
});

const dayRow = (of: string, { channel, day, count, data }: PackedDay): GuideDayRow => ({
  ...{ import: of, of: keyOf(channel), day: day ?? NO_DAY, count, data },
});

async function stageOf(db: AccessionDb, guide: string, id: string): Promise<GuideStage> {
  const tables = [db.guide_stages, db.guide_channels, db.guide_days, db.guide_faults];
  let channels = 0;
  const held = async (): Promise<void> => {
    if ((await db.guide_stages.get(guide))?.import !== id) throw replaced();
  };
  await db.transaction('rw', tables, async () => {
    const before = await db.guide_stages.get(guide);
    if (before !== undefined) await dropRows(db, before.import);
    await db.guide_stages.put({ guide, import: id });
  });
  return {
    add: (rows: StagedRows) =>
      spaced(() =>
        db.transaction('rw', tables, async () => {
          await held();
          const first = channels;
          const added = (rows.channels ?? []).map((channel, at) => ({ import: id, n: first + at, channel }));
          await db.guide_channels.bulkAdd(added);
          await db.guide_days.bulkAdd((rows.programmes ?? []).map((day) => dayRow(id, day)));
          await db.guide_faults.bulkAdd((rows.faults ?? []).map((day) => dayRow(id, day)));
          channels = first + added.length;
        }),
      ),
    finish: (draft: GuideDraft) =>
      spaced(() =>
        db.transaction('rw', [...tables, db.guide_sources, db.guide_state], async () => {
          await held();
          const before = await db.guide_sources.get(guide);
          const revision = (before?.revision ?? 0) + 1;
          const record: GuideRecord = { ...draft, schema_version: 1, id: guide, import: id, revision };
          await db.guide_sources.put(record);
          await db.guide_stages.delete(guide);
          await db.guide_state.put({ key: 'lookups', value: { failed: 0, all: 0 } });
          if (before !== undefined) await dropRows(db, before.import);
          return record;
        }),
      ),
    drop: () =>
      db.transaction('rw', tables, async () => {
        if ((await db.guide_stages.get(guide))?.import !== id) return;
        await db.guide_stages.delete(guide);
        await dropRows(db, id);
      }),
  };
}

async function dropRows(db: AccessionDb, of: string): Promise<void> {
  for (const table of [db.guide_channels, db.guide_days, db.guide_faults])
    await table.where('import').equals(of).delete();
}

async function removeGuide(db: AccessionDb, guide: string): Promise<void> {
  const own = [db.guide_mends, db.guide_dismissals, db.guide_lookups];
  const imports = [db.guide_channels, db.guide_days, db.guide_faults];
  await db.transaction('rw', [...own, ...imports, db.guide_sources, db.guide_stages, db.guide_lineups], async () => {
    for (const row of [await db.guide_sources.get(guide), await db.guide_stages.get(guide)])
      if (row !== undefined) await dropRows(db, row.import);
    for (const table of [db.guide_sources, db.guide_stages, db.guide_lineups]) await table.delete(guide);
    for (const table of own) await table.where('guide').equals(guide).delete();
  });
}

async function spaced<Value>(work: () => PromiseLike<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (!isQuotaExceeded(cause)) throw cause;
    throw failed('storage_full', 'There is no space left in this browser for the guide.', { cause });
  }
}

const replaced = (): Error =>
  failed('conflict', 'The guide was replaced meanwhile.', { remedy: 'Try again: it is read anew.' });
