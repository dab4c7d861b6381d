/** `accession guide derive`: schedules of channels as XMLTV, or one JSON object a programme. */
import { writeFile } from 'node:fs/promises';
import { failed } from '#core/errors.ts';
import { parseChannels, parseVideo } from '../core/schedule/channel-file.ts';
import { conflictSentence } from '../core/schedule/conflict-sentence.ts';
import { deriveSchedule, videosOf } from '../core/schedule/derive.ts';
import { scheduleXmltv, type GuideVideo } from '../core/schedule/xmltv.ts';
import { DAY, dayNumber, dayText, zoneClock } from '../core/schedule/zone.ts';
import { readText } from './read-text.ts';

export interface DeriveFlags {
  videos: string;
  out: string;
  from?: string;
  days: string;
  json?: boolean;
}

const LONGEST_DAYS = 14;

/** Writes the schedules and says what stands in their way. Throws AccessionError `invalid` with a sentence. */
export async function deriveCommand(
  file: string,
  flags: DeriveFlags,
  { now, say }: { now: () => number; say: (line: string) => void },
): Promise<void> {
  const days = Number(flags.days);
  if (!Number.isInteger(days) || days < 1 || days > LONGEST_DAYS)
    throw failed('invalid', `--days is a whole number from 1 to ${LONGEST_DAYS}.`);
  const channels = parseChannels(await readText(file), file);
  const videos = await readVideos(flags.videos);
  const derived = channels.map((channel) => {
    // Without a day the channel's own today.
    const first =
      flags.from === undefined ? Math.floor(zoneClock(channel.zone).localAt(now()) / DAY) : dayNumber(flags.from);
    const window = { from: dayText(first), to: dayText(first + days) };
    return { channel, schedule: deriveSchedule(channel, videosOf(channel, videos), window) };
  });

  const lines = derived.flatMap(({ channel, schedule }) =>
    schedule.programmes.map((programme) => `${JSON.stringify({ channel: channel.id, ...programme })}\n`),
  );
  const text = flags.json === true ? lines.join('') : [...scheduleXmltv(derived, videos)].join('');
  await writeFile(flags.out, text);
  for (const { channel, schedule } of derived)
    for (const conflict of schedule.conflicts) say(`${channel.number} ${channel.name}: ${conflictSentence(conflict)}`);
  say(`${lines.length} programmes are in ${flags.out}`);
}

async function readVideos(file: string): Promise<GuideVideo[]> {
  const lines = (await readText(file)).split('\n');
  return lines.flatMap((text, index) => (text.trim() === '' ? [] : [parseVideo(text, file, index + 1)]));
}
