/** Derives the schedules of channels anew, as one guide of its own that takes its place where anything changed. */
import { GuideReader } from '../read/guide-reader.ts';
import type { Mend, ToolReport } from '../run/run.types.ts';
import { deriveSchedule, videosOf } from '../schedule/derive.ts';
import type { Schedule, ScheduleChannel, ScheduleWindow } from '../schedule/types.ts';
import { scheduleXmltv, type GuideVideo } from '../schedule/xmltv.ts';
import { DAY, dayText, zoneClock } from '../schedule/zone.ts';
import type { GuideRecord } from '../store/guide-records.ts';
import { EVERYTHING, type GuideStore } from '../store/guide-store.ts';
import { unpackProgrammes } from '../store/packed.ts';
import { GuideImport } from './import-rows.ts';

/** Id of the guide that schedules give. */
export const SCHEDULES = 'schedule';

/** From the channel's own today on. */
export function windowOf({ zone }: Pick<ScheduleChannel, 'zone'>, days: number, now: number): ScheduleWindow {
  const first = Math.floor(zoneClock(zone).localAt(now) / DAY);
  return { from: dayText(first), to: dayText(first + days) };
}

/** `came`: called with the guide where it changed. */
export async function deriveGuide(
  store: GuideStore,
  { videos, now, came }: { videos: readonly GuideVideo[]; now: number; came?(guide: GuideRecord): Promise<void> },
): Promise<ToolReport> {
  const rows = await store.schedules();
  const before = await store.guide(SCHEDULES);
  if (rows.length === 0) {
    if (before !== null) await store.remove(SCHEDULES);
    return { changed: 0, diff: [], skipped: [] };
  }
  const derived = rows.map(({ channel, days }) => ({
    channel,
    schedule: deriveSchedule(channel, videosOf(channel, videos), windowOf(channel, days, now)),
  }));
  const diff = await changes(store, derived);
  if (diff.length > 0 || before === null) {
    const guide = await importText(store, scheduleXmltv(derived, videos), now);
    await came?.(guide);
  }
  return { changed: diff.length, diff, skipped: [] };
}

/** Channels of which a programme came, went or moved. */
async function changes(
  store: GuideStore,
  derived: readonly { channel: ScheduleChannel; schedule: Schedule }[],
): Promise<Mend[]> {
  const kept = new Map<string, Set<string>>();
  for await (const { channel, data } of store.programmes(SCHEDULES, EVERYTHING)) {
    const of = kept.get(channel ?? '') ?? new Set<string>();
    kept.set(channel ?? '', of);
    for (const { start, stop } of unpackProgrammes(data)) of.add(`${start} ${stop}`);
  }
  return derived.flatMap(({ channel: { id }, schedule: { programmes } }): Mend[] => {
    const old = kept.get(id) ?? new Set<string>();
    const fresh = programmes.filter(({ start, stop }) => !old.has(`${Date.parse(start)} ${Date.parse(stop)}`)).length;
    if (fresh === 0 && old.size === programmes.length) return [];
    const after = `${programmes.length} programmes`;
    const reasons = [`${fresh} of them are new`];
    return [{ where: id, field: 'schedule', before: `${old.size} programmes`, after, source: 'schedule', reasons }];
  });
}

async function importText(store: GuideStore, pieces: Iterable<string>, now: number): Promise<GuideRecord> {
  const stage = await store.stage(SCHEDULES);
  try {
    const rows = new GuideImport(stage, null);
    const reader = new GuideReader(rows);
    for (const piece of pieces) {
      reader.write(piece);
      await rows.flush();
    }
    const about = { kind: 'schedule' as const, name: 'Schedules', zone: null, imported_at: now };
    return (await rows.end(reader.end(), about)).record;
  } catch (error) {
    await stage.drop().catch(() => undefined);
    throw error;
  }
}
