/** Channels and videos as files give them: parsed, with a sentence that names what is wrong. */
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import type { ScheduleChannel } from './types.ts';
import type { GuideVideo } from './xmltv.ts';
import { dayNumber, zoneClock } from './zone.ts';

const MOST_CHANNELS = 1000;
const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const Time = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of the day is written 20:15'));
const Whole = v.pipe(v.number(), v.integer());
const Numbered = v.pipe(Whole, v.minValue(0));
const holds = (check: (value: string) => unknown) => (value: string) => {
  try {
    check(value);
    return true;
  } catch {
    return false;
  }
};
const Day = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d$/, 'a day is written 2026-03-02'),
  v.check(holds(dayNumber), 'a day is written 2026-03-02'),
);
const noZone = ({ input }: { input: unknown }): string => `there is no time zone "${String(input).slice(0, 60)}"`;
const Zone = v.pipe(v.string(), v.regex(/^[A-Za-z][\w+/-]{2,}$/, noZone), v.check(holds(zoneClock), noZone));

const BlockSchema = v.object({
  id: Name,
  days: v.pipe(v.array(v.pipe(Whole, v.minValue(1), v.maxValue(7))), v.minLength(1, 'a block has a day')),
  at: Time,
  until: v.nullable(Time),
  shows: v.pipe(v.array(Name), v.minLength(1, 'a block has a show')),
  order: v.picklist(['aired', 'rotate', 'shuffle']),
  pad: v.picklist([0, 5, 10, 15, 30]),
  seed: v.optional(v.union([v.number(), v.string()])),
});

export const ScheduleChannelSchema: v.GenericSchema<unknown, ScheduleChannel> = v.object({
  id: Name,
  number: v.pipe(v.string(), v.regex(/^\d{1,5}(\.\d{1,3})?$/, 'the number of a channel is written 5 or 5.1')),
  name: Name,
  zone: Zone,
  from: Day,
  blocks: v.pipe(
    v.array(BlockSchema),
    v.check((blocks) => new Set(blocks.map(({ id }) => id)).size === blocks.length, 'two blocks have one id'),
  ),
});

const ChannelsSchema = v.pipe(
  v.array(ScheduleChannelSchema),
  v.maxLength(MOST_CHANNELS, `there may be ${MOST_CHANNELS} channels`),
  v.check((channels) => new Set(channels.map(({ id }) => id)).size === channels.length, 'two channels have one id'),
);

const Known = v.optional(v.nullable(v.string()), null);
const VideoSchema: v.GenericSchema<unknown, GuideVideo> = v.object({
  id: Name,
  show: Name,
  season: v.optional(v.nullable(Numbered), null),
  episode: v.optional(v.nullable(Numbered), null),
  seconds: v.optional(v.nullable(v.number()), null),
  title: Known,
  episode_title: Known,
  aired: Known,
});

/** One channel or a list of them. Throws AccessionError `invalid`. */
export function parseChannels(json: string, file: string): ScheduleChannel[] {
  const value = parseJson(json, file);
  return checked(ChannelsSchema, Array.isArray(value) ? value : [value], file);
}

/** One video a line. Throws AccessionError `invalid` with the line. */
export function parseVideo(json: string, file: string, line: number): GuideVideo {
  const where = `${file}, line ${line}`;
  return checked(VideoSchema, parseJson(json, where), where);
}

function parseJson(json: string, where: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw failed('invalid', `${where}: this is not JSON.`);
  }
}

function checked<Value>(schema: v.GenericSchema<unknown, Value>, value: unknown, where: string): Value {
  const read = v.safeParse(schema, value);
  if (read.success) return read.output;
  const [issue] = read.issues;
  const path = v.getDotPath(issue);
  throw failed('invalid', `${where}${path === null ? '' : `, ${path}`}: ${issue.message}.`);
}
