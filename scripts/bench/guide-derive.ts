/** What deriving many channels over a large collection costs: schedules, their XMLTV, and taking it in. */
import { deriveGuide, scheduleOf } from '#lanes/guide/core/app/derive-guide.ts';
import type { ScheduleChannel } from '#lanes/guide/core/schedule/types.ts';
import { scheduleXmltv, type GuideVideo } from '#lanes/guide/core/schedule/xmltv.ts';
import { MemoryGuideStore } from '#lanes/guide/core/store/memory-guide-store.ts';
import { mulberry32 } from '#core/mulberry32.ts';

const CHANNELS = 200;
const DAYS = 14;
const SHOWS = 100;
const EPISODES = 80;
const NAMES = ['Lights', 'Winter', 'Bridge', 'Signal', 'Station', 'Meadow', 'Compass'];
const NOW = Date.UTC(2026, 2, 20);

/**
 * @returns derive_cpu_s: the processor's time of this process for the schedules and their XMLTV;
 *   guide.derive_and_keep_cpu_s: for deriving, checking and storing them in memory; guide.derived: programmes
 */
export async function benchDeriving(): Promise<Record<string, number>> {
  const random = mulberry32(14);
  const videos = Array.from({ length: SHOWS * EPISODES }, (_, at): GuideVideo => ({
    ...{
      id: `v${at}`,
      show: `s${at % SHOWS}`,
      season: 1 + Math.floor(at / SHOWS / 20),
      seconds: 1200 + Math.floor(random() * 2400),
    },
    ...{
      episode: 1 + (Math.floor(at / SHOWS) % 20),
      title: `Harbour ${NAMES[at % NAMES.length]}`,
      episode_title: `Part ${at}`,
      aired: '2019-05-02',
    },
  }));
  const store = new MemoryGuideStore();
  for (let at = 0; at < CHANNELS; at++) {
    const shows = Array.from({ length: 5 }, () => `s${Math.floor(random() * SHOWS)}`);
    await store.putSchedule({ schema_version: 1, channel: channelOf(at, [...new Set(shows)]), days: DAYS });
  }
  const rows = await store.schedules();
  let begun = process.cpuUsage();
  const derived = rows.map((row) => ({ channel: row.channel, schedule: scheduleOf(row, videos, NOW) }));
  let characters = 0;
  for (const piece of scheduleXmltv(derived, videos)) characters += piece.length;
  const derive = secondsSince(begun);
  begun = process.cpuUsage();
  const kept = { read: () => Promise.resolve({}), write: () => Promise.resolve() };
  const { changed } = await deriveGuide({ store, videos: () => Promise.resolve(videos), now: NOW, kept });
  const keep = secondsSince(begun);
  const guide = await store.guide('schedule');
  if (changed !== CHANNELS || guide === null || guide.programmes < CHANNELS * DAYS * 10 || characters < 1e6)
    throw new Error('Too little was derived.');
  return { derive_cpu_s: derive, 'guide.derive_and_keep_cpu_s': keep, 'guide.derived': guide.programmes };
}

function secondsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}

/** Three blocks that fill the day, each in another order. */
function channelOf(at: number, shows: string[]): ScheduleChannel {
  const all = [1, 2, 3, 4, 5, 6, 7];
  return {
    ...{ id: `c${at}`, number: String(at + 1), name: `Channel ${at + 1}`, zone: 'Europe/Berlin', from: '2026-03-02' },
    blocks: [
      { id: 'a', days: all, at: '06:00', until: '14:00', shows, order: 'aired', pad: 5 },
      { id: 'b', days: all, at: '14:00', until: '22:00', shows, order: 'rotate', pad: 0 },
      { id: 'c', days: all, at: '22:00', until: '06:00', shows, order: 'shuffle', seed: at, pad: 15 },
    ],
  };
}
