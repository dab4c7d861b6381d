/**
 * Channels of ours as one guide in the store: derived anew from recognised videos, and taken in where anything changed.
 *
 *   channels, videos, today -> a schedule each -> its mark -> the marks of the last time: the same -> nothing
 *                                                          `-> others -> the guide, in one piece -> the marks
 */
import { fnv1a } from '#core/fnv1a.ts';
import type { GuideElement } from '../read/element.ts';
import type { Mend, ToolReport } from '../run/run.types.ts';
import { deriveSchedule, videosOf } from '../schedule/derive.ts';
import type { Schedule, ScheduleChannel, ScheduleWindow } from '../schedule/types.ts';
import { scheduleElements, type DerivedChannel, type GuideVideo } from '../schedule/xmltv.ts';
import { DAY, dayText, zoneClock } from '../schedule/zone.ts';
import type { ScheduleRow } from '../store/guide-records.ts';
import type { GuideStore } from '../store/guide-store.ts';
import { GuideImport } from './import-rows.ts';

/** Id of the guide that has all channels of ours. */
export const SCHEDULE_GUIDE = 'schedule';
const NAME = 'Channels';
/** Among the marks: of all that the schedules are made of. No channel has this id. */
const WHOLE = '';
const NOTHING: ToolReport = { changed: 0, diff: [], skipped: [] };

/** From the channel's own today on. */
export function windowOf({ zone }: Pick<ScheduleChannel, 'zone'>, days: number, now: number): ScheduleWindow {
  const first = Math.floor(zoneClock(zone).localAt(now) / DAY);
  return { from: dayText(first), to: dayText(first + days) };
}

/** Throws AccessionError `invalid` where the channel cannot be. */
export const scheduleOf = ({ channel, days }: ScheduleRow, videos: readonly GuideVideo[], now: number): Schedule =>
  deriveSchedule(channel, videosOf(channel, videos), windowOf(channel, days, now));

export interface Deriving {
  store: GuideStore;
  videos(): Promise<readonly GuideVideo[]>;
  now: number;
  /** What each channel came to last, by its id. */
  kept: { read(): Promise<Readonly<Record<string, string>>>; write(marks: Record<string, string>): Promise<void> };
  /** Lets others have their turn. */
  rest?(): Promise<void>;
}

/** Changes nothing where every channel says what it said; its diff says which ones do not. */
export async function deriveGuide({ store, videos: known, now, kept, rest }: Deriving): Promise<ToolReport> {
  const rows = await store.schedules();
  const before = await kept.read();
  if (rows.length === 0 && Object.keys(before).every((id) => id === WHOLE)) return NOTHING;
  const videos = await known();
  const isThere = (await store.guide(SCHEDULE_GUIDE)) !== null;
  const told = new Map(videos.map((video) => [video.id, JSON.stringify(video)]));
  const windows = rows.map(({ channel, days }) => windowOf(channel, days, now));
  const whole = hashOf([JSON.stringify([rows, windows]), ...told.values()]);
  if (before[WHOLE] === whole && isThere) return NOTHING;
  const derived: DerivedChannel[] = [];
  const after: Record<string, string> = { [WHOLE]: whole };
  for (const row of rows) {
    const schedule = scheduleOf(row, videos, now);
    derived.push({ channel: row.channel, schedule });
    after[row.channel.id] = markOf(row, schedule, told);
    await rest?.();
  }
  const diff = changes(before, after, derived);
  if (diff.length === 0 && isThere === rows.length > 0) {
    await kept.write(after);
    return NOTHING;
  }
  if (rows.length === 0) await store.remove(SCHEDULE_GUIDE);
  else await takeIn(store, scheduleElements(derived, videos), now, rest);
  await kept.write(after);
  return { changed: diff.length, diff, skipped: [] };
}

function changes(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  derived: readonly DerivedChannel[],
): Mend[] {
  const counts = new Map(derived.map(({ channel, schedule }) => [channel.id, schedule.programmes.length]));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((id): Mend[] => {
    if (id === WHOLE || before[id] === after[id]) return [];
    const said = after[id] === undefined ? 'none' : `${counts.get(id) ?? 0} programmes`;
    const was = before[id] === undefined ? null : 'other programmes';
    const reasons = ['the schedule, its videos or the day are others'];
    return [{ where: id, field: 'schedule', before: was, after: said, source: 'schedule', reasons }];
  });
}

/** Another one where anything that is written of the channel is another. */
const markOf = (
  { channel: { id, number, name } }: ScheduleRow,
  { programmes }: Schedule,
  told: ReadonlyMap<string, string>,
): string =>
  hashOf([
    JSON.stringify([id, number, name]),
    ...programmes.map(({ start, stop, video }) => `${start}${stop}${told.get(video) ?? video}`),
  ]);

/** Two hashes: no change is missed by chance. */
function hashOf(texts: readonly string[]): string {
  let [one, two] = [fnv1a(String(texts.length)), fnv1a(String(texts.length), 1)];
  for (const text of texts) [one, two] = [fnv1a(`${text}\n`, one), fnv1a(`${text}\n`, two)];
  return `${one.toString(36)} ${two.toString(36)}`;
}

async function takeIn(
  store: GuideStore,
  elements: Iterable<GuideElement>,
  now: number,
  rest: Deriving['rest'],
): Promise<void> {
  const stage = await store.stage(SCHEDULE_GUIDE);
  try {
    const rows = new GuideImport(stage, null, () => store.rest());
    for (const element of elements) {
      if (element.name === 'channel') rows.channel(element, []);
      else rows.programme(element, []);
      await rows.flush();
      await rest?.();
    }
    const read = { codes: [], stopped: null, cutTexts: 0 };
    await rows.end(read, { kind: 'schedule', name: NAME, zone: null, imported_at: now });
  } catch (error) {
    await stage.drop().catch(() => undefined);
    throw error;
  }
}
