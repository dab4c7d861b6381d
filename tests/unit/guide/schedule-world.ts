import type { Block, ScheduleChannel, ScheduleVideo } from '#lanes/guide/core/schedule/types.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

export const block = (changes: Partial<Block>): Block => ({
  id: 'b',
  days: EVERY_DAY,
  at: '20:00',
  until: '22:00',
  shows: ['s'],
  order: 'aired',
  pad: 0,
  ...changes,
});

export const channel = (blocks: Block[], changes: Partial<ScheduleChannel> = {}): ScheduleChannel => ({
  ...{ id: 'c', number: '7', name: 'Seven', zone: 'UTC', from: '2026-01-05', blocks },
  ...changes,
});

/** `count` episodes of one season. */
export function episodes(show: string, count: number, seconds: number, season = 1): ScheduleVideo[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ id: `${show}${season}x${String(index + 1).padStart(2, '0')}`, show, season, episode: index + 1, seconds },
  }));
}
