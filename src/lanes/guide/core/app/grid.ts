/** Programmes of some channels and hours, with what is wrong and what was mended: what a grid shows. */
import { faultWords } from '../faults/fault-words.ts';
import type { FaultType } from '../faults/fault.ts';
import { textsOf } from '../read/element.ts';
import type { ChannelRecord } from '../store/guide-records.ts';
import type { GuideStore } from '../store/guide-store.ts';
import { unpackProgrammes } from '../store/packed.ts';
import { openFaults } from './open-faults.ts';
import { overlaid } from './overlaid.ts';
import { aboutOf } from './place.ts';
import { Standing } from './standing.ts';
import { readAnyTime } from '../times/read-iso-time.ts';

const DAY = 86_400_000;

export interface GridCell {
  guide: string;
  channel: string;
  start: number;
  stop: number | null;
  where: string;
  about: number;
  title: string;
  subTitle: string;
  faults: { type: FaultType; code: string | null; words: string }[];
  mended: string[];
}

/** The channels of one guide or of all, so many of them, with the programmes of the instants [from, to). */
export interface GridWish {
  guide: string | null;
  from: number;
  to: number;
  offset: number;
  limit: number;
}

export interface GridPage {
  /** How many there are. */
  channels: number;
  rows: { guide: string; channel: string; name: string; cells: GridCell[] }[];
}

export async function gridPage(store: GuideStore, wish: GridWish): Promise<GridPage> {
  const { channels, rows } = await gridRows(store, wish);
  return { channels, rows: await Array.fromAsync(rows) };
}

/** The same, a channel at a time. */
export async function gridRows(
  store: GuideStore,
  wish: GridWish,
): Promise<{ channels: number; rows: AsyncGenerator<GridPage['rows'][number]> }> {
  const all: { guide: string; channel: string; name: string }[] = [];
  for (const { id } of await store.guides())
    if (wish.guide === null || wish.guide === id)
      for (const channel of await store.channels(id))
        if (channel.id !== '' || channel.programmes > 0)
          all.push({ guide: id, channel: channel.id, name: channelName(channel) });
  async function* rows(): AsyncGenerator<GridPage['rows'][number]> {
    for (const row of all.slice(wish.offset, wish.offset + wish.limit))
      yield { ...row, cells: await cellsOf(store, row.guide, row.channel, wish) };
  }
  return { channels: all.length, rows: rows() };
}

/** Programmes of a channel that are shown: one a minute of the longest time that may be asked for. */
const MOST_CELLS = 14 * 24 * 60;
/** Programmes that are looked at in one go. */
const AT_ONCE = 100;

/** Of one channel of a guide: what overlaps the instants [from, to). */
export async function cellsOf(
  store: GuideStore,
  guide: string,
  channel: string,
  { from, to }: { from: number; to: number },
): Promise<GridCell[]> {
  // What begins on the day before may last into this one.
  const days = { from: Math.floor(from / DAY) - 1, to: Math.floor((to - 1) / DAY) + 1 };
  const standing = new Standing(await store.mends({ guides: [guide], channels: [channel] }));
  const faults = new Map<string, GridCell['faults']>();
  for await (const found of openFaults(store, { guide, channel, days }))
    for (const { where, type, code } of found) {
      const own = faults.get(where) ?? [];
      faults.set(where, own);
      own.push({ type, code, words: faultWords(code === null ? { type } : { type, code }) });
    }
  const cells: GridCell[] = [];
  for await (const { data } of store.programmes(guide, { channels: [channel], days }))
    for (const [at, { start, stop: own, element }] of unpackProgrammes(data).entries()) {
      if (at % AT_ONCE === 0) await store.rest();
      if (start === null || cells.length >= MOST_CELLS) continue;
      const { channel: id = '', start: written = '' } = element.attributes;
      const where = `${id}@${written}`;
      const about = aboutOf(element);
      const rows = standing.at({ channel, start, where }, about);
      const mended = overlaid(element, rows);
      const { stop } = mended.attributes;
      cells.push({
        ...{
          guide,
          channel,
          start,
          where,
          about,
          faults: faults.get(where) ?? [],
          mended: rows.map(({ field }) => field),
        },
        // A mend's is in UTC, the source's was read in its zone.
        stop: rows.some(({ field }) => field === 'stop') ? readAnyTime(stop ?? '', null) : own,
        title: textsOf(mended, 'title')[0] ?? '',
        subTitle: textsOf(mended, 'sub-title')[0] ?? '',
      });
    }
  cells.sort((a, b) => a.start - b.start);
  // Of the cells from here to the end: when the first begins that begins later than this one.
  let [later, start]: (number | null)[] = [null, null];
  for (const cell of cells.toReversed()) {
    if (start !== null && start !== undefined && start > cell.start) later = start;
    start = cell.start;
    if (cell.stop === null || cell.stop < cell.start) cell.stop = later ?? null;
  }
  return cells.filter(({ start, stop }) => start < to && (stop ?? start + 1) > from);
}

export const channelName = ({ id, displayNames }: Pick<ChannelRecord, 'id' | 'displayNames'>): string =>
  displayNames.find((name) => /\p{L}/u.test(name)) ?? displayNames[0] ?? (id === '' ? 'No channel' : id);
