/** Answers to `schedules.jsonl`: what the product derives for each case. */
import * as v from 'valibot';
import { deriveSchedule } from '#lanes/guide/core/schedule/derive.ts';
import type { Part } from './part.types.ts';

const Text = v.string();
const ScheduleCase = v.object({
  id: Text,
  channel: v.object({
    ...{ id: Text, number: Text, name: Text, zone: Text, from: Text },
    blocks: v.array(
      v.object({
        ...{ id: Text, days: v.array(v.number()), at: Text, until: v.nullable(Text), shows: v.array(Text) },
        order: v.picklist(['aired', 'rotate', 'shuffle']),
        pad: v.number(),
        seed: v.optional(v.union([v.number(), Text])),
      }),
    ),
  }),
  videos: v.array(
    v.object({
      ...{ id: Text, show: Text },
      season: v.optional(v.nullable(v.number()), null),
      episode: v.optional(v.nullable(v.number()), null),
      seconds: v.optional(v.nullable(v.number()), null),
    }),
  ),
  window: v.object({ from: Text, to: Text }),
});

/** Programmes and conflicts of channels. */
export const schedules: Part = {
  cases: 'schedules.jsonl',
  answers: 'schedules.jsonl',
  answer: (cases) =>
    v
      .parse(v.array(ScheduleCase), cases)
      .map(({ id, channel, videos, window }) => ({ id, ...deriveSchedule(channel, videos, window) })),
};
