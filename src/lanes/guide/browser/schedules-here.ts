/** Schedule channels over the videos of this browser. */
import { conflictSentence } from '#lanes/guide/core/schedule/conflict-sentence.ts';
import { videosOf } from '#lanes/guide/core/schedule/derive.ts';
import type { ScheduleChannel } from '#lanes/guide/core/schedule/types.ts';
import { scheduleOf } from '#lanes/guide/core/app/derive-guide.ts';
import type { GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import type { ScheduleRow } from '#lanes/guide/core/store/guide-records.ts';
import type { GuideMachine } from './guide-ports.ts';

export interface ShowHere {
  id: string;
  title: string;
  videos: number;
}

export async function schedulesOf(
  machine: GuideMachine,
  store: GuideStore,
): Promise<{ rows: ScheduleRow[]; shows: ShowHere[] }> {
  const shows = new Map<string, ShowHere>();
  for (const { show, title } of await machine.videos()) {
    const known = shows.get(show) ?? { id: show, title: title ?? show, videos: 0 };
    shows.set(show, { ...known, videos: known.videos + 1 });
  }
  const byTitle = (a: ShowHere, b: ShowHere): number => a.title.localeCompare(b.title);
  return { rows: await store.schedules(), shows: [...shows.values()].sort(byTitle) };
}

/** What the channel would show, from today on. Throws AccessionError `invalid` where it cannot be. */
export async function previewOf(
  machine: GuideMachine,
  channel: ScheduleChannel,
  days: number,
): Promise<{ programmes: { start: number; stop: number; title: string }[]; conflicts: string[] }> {
  const videos = videosOf(channel, await machine.videos());
  const titles = new Map(
    videos.map(({ id, title, show, episode_title }) => [id, [title ?? show, episode_title].filter(Boolean).join(': ')]),
  );
  const row = { schema_version: 1, channel, days } as const;
  const { programmes, conflicts } = scheduleOf(row, videos, machine.clock.now());
  return {
    programmes: programmes.map(({ start, stop, video }) => ({
      ...{ start: Date.parse(start), stop: Date.parse(stop), title: titles.get(video) ?? video },
    })),
    conflicts: [...new Set(conflicts.map(conflictSentence))],
  };
}
