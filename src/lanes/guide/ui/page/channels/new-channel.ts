/** A channel as it begins. */
import type { ScheduleChannel, ScheduleRow } from '../../client.ts';
import { dayOf, inputDay } from '../grid/day.ts';

export function newChannel(rows: readonly ScheduleRow[]): ScheduleRow {
  const numbers = rows.map(({ channel }) => Math.floor(Number(channel.number)));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const channel: ScheduleChannel = {
    ...{ id: crypto.randomUUID(), number: String(Math.max(0, ...numbers) + 1), name: '', zone },
    ...{ from: inputDay(dayOf(Date.now())), blocks: [newBlock()] },
  };
  return { schema_version: 1, channel, days: 7 };
}

export const newBlock = (): ScheduleChannel['blocks'][number] => ({
  ...{ id: crypto.randomUUID().slice(0, 8), days: [1, 2, 3, 4, 5, 6, 7], at: '20:00', until: '23:00' },
  ...{ shows: [], order: 'aired', pad: 5 },
});
