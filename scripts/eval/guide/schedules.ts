/** Answers to `schedules.jsonl`: what the product derives for each case. */
import { deriveSchedule } from '#lanes/guide/core/schedule/derive.ts';
import type { Schedule, ScheduleChannel, ScheduleVideo, ScheduleWindow } from '#lanes/guide/core/schedule/types.ts';

export interface ScheduleCase {
  id: string;
  channel: ScheduleChannel;
  videos: ScheduleVideo[];
  window: ScheduleWindow;
}

/** One row of `schedules.jsonl`. */
export function answerSchedule({ id, channel, videos, window }: ScheduleCase): { id: string } & Schedule {
  return { id, ...deriveSchedule(channel, videos, window) };
}
