/** Programmes and faults of a guide in IndexedDB: rows of one channel and one day, in their order. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { failed } from '#core/errors.ts';
import type { ChannelRecord, GuideRecord, PackedDay } from '#lanes/guide/core/store/guide-records.ts';
import type { DayRange } from '#lanes/guide/core/store/guide-store.ts';
import type { GuideDayRow } from './schema.ts';

/** Before every day. */
const NO_DAY = -1_000_000_000;
/** Channels that are read in one transaction. */
const TOGETHER = 40;

const keyOf = (channel: string | null): string => (channel === null ? '' : `c${channel}`);

/** Of an import, in the order of its document. */
export const channelsOf = async (db: AccessionDb, of: string): Promise<ChannelRecord[]> =>
  (await db.guide_channels.where('[import+n]').between([of, 0], [of, Infinity]).toArray()).map(
    ({ channel }) => channel,
  );

export async function* days(
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

export const dayRow = (of: string, { channel, day, count, data }: PackedDay): GuideDayRow => ({
  ...{ import: of, of: keyOf(channel), day: day ?? NO_DAY, count, data },
});

export const replaced = (): Error =>
  failed('conflict', 'The guide was replaced meanwhile.', { remedy: 'Try again: it is read anew.' });
