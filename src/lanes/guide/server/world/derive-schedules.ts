/** Channels of ours as a guide in the store: derived anew from recognised videos, and taken in where anything changed. */
import { createHash } from 'node:crypto';
import { importGuide } from '#lanes/guide/bytes/import-guide.ts';
import type { Mend, ToolReport } from '#lanes/guide/core/run/run.types.ts';
import { deriveSchedule, videosOf } from '#lanes/guide/core/schedule/derive.ts';
import type { Schedule } from '#lanes/guide/core/schedule/types.ts';
import { scheduleXmltv, type DerivedChannel, type GuideVideo } from '#lanes/guide/core/schedule/xmltv.ts';
import { DAY, dayText, zoneClock } from '#lanes/guide/core/schedule/zone.ts';
import type { ScheduleRow } from '#lanes/guide/core/store/guide-records.ts';
import type { GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import { createTurns } from '#server/turns.ts';

/** Of the guide that has all channels of ours. */
export const SCHEDULE_GUIDE = 'schedule';
const NAME = 'Channels';
const PIECE = 64 * 1024;
const NOTHING: ToolReport = { changed: 0, diff: [], skipped: [] };

/** The window of a channel begins with its own today. */
export function scheduleOf({ channel, days }: ScheduleRow, videos: readonly GuideVideo[], now: number): Schedule {
  const first = Math.floor(zoneClock(channel.zone).localAt(now) / DAY);
  return deriveSchedule(channel, videosOf(channel, videos), { from: dayText(first), to: dayText(first + days) });
}

export interface Deriving {
  store: GuideStore;
  videos(): Promise<GuideVideo[]>;
  now(): number;
  /** What each channel came to last, by its id. */
  kept: { read(): Promise<Record<string, string>>; write(marks: Record<string, string>): Promise<void> };
}

/** Changes nothing where every channel says what it said; its diff says which ones do not. */
export async function deriveSchedules({ store, videos: known, now, kept }: Deriving): Promise<ToolReport> {
  const rows = await store.schedules();
  const before = await kept.read();
  if (rows.length === 0 && Object.keys(before).length === 0) return NOTHING;
  const videos = await known();
  const told = new Map(videos.map((video) => [video.id, JSON.stringify(video)]));
  const { rest } = createTurns();
  const derived: DerivedChannel[] = [];
  const after: Record<string, string> = {};
  for (const row of rows) {
    const schedule = scheduleOf(row, videos, now());
    derived.push({ channel: row.channel, schedule });
    after[row.channel.id] = markOf(row, schedule, told);
    await rest();
  }
  const diff = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((id): Mend[] => {
    if (before[id] === after[id]) return [];
    const count = derived.find(({ channel }) => channel.id === id)?.schedule.programmes.length ?? 0;
    const said = after[id] === undefined ? 'none' : `${count} programmes`;
    const was = before[id] === undefined ? null : 'other programmes';
    const reasons = ['the schedule, its videos or the day are others'];
    return [{ where: id, field: 'schedule', before: was, after: said, source: 'schedule', reasons }];
  });
  if (diff.length === 0) return NOTHING;
  if (rows.length === 0) await store.remove(SCHEDULE_GUIDE);
  else {
    const wish = { guide: SCHEDULE_GUIDE, kind: 'schedule', name: NAME, zone: null } as const;
    await importGuide(store, bytesOf(scheduleXmltv(derived, videos), rest), wish, { now: now() });
  }
  await kept.write(after);
  return { changed: diff.length, diff, skipped: [] };
}

/** Another one where anything that is written of the channel is another. */
function markOf(
  { channel: { id, number, name } }: ScheduleRow,
  { programmes }: Schedule,
  told: ReadonlyMap<string, string>,
): string {
  const hash = createHash('sha256').update(JSON.stringify([id, number, name]));
  for (const { start, stop, video } of programmes) hash.update(`${start}${stop}${told.get(video) ?? video}\n`);
  return hash.digest('base64url');
}

async function* bytesOf(pieces: Iterable<string>, rest: () => Promise<void>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let held = '';
  for (const piece of pieces) {
    held += piece;
    if (held.length < PIECE) continue;
    yield encoder.encode(held);
    held = '';
    await rest();
  }
  yield encoder.encode(held);
}
