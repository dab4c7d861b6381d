/** What stores of guides share: which rows belong to what is asked for, and their order. */
import type { GuideRecord, LookupFailure, MendRow, PackedDay, ScheduleRow } from './guide-records.ts';
import type { DayRange, MendScope } from './guide-store.ts';

/** Rows of no channel belong to every range of channels. */
export function isInRange({ channel, day }: Pick<PackedDay, 'channel' | 'day'>, { channels, days }: DayRange): boolean {
  if (channel === null) return true;
  if (channels !== null && !channels.includes(channel)) return false;
  return days === null || (day !== null && day >= days.from && day < days.to);
}

export function isInScope({ guide, channel }: Pick<MendRow, 'guide' | 'channel'>, scope: MendScope): boolean {
  return (scope.guides?.includes(guide) ?? true) && (scope.channels?.includes(channel) ?? true);
}

/** Of a look-up's place. */
export const placeKey = ({ guide, channel, start }: Pick<LookupFailure, 'guide' | 'channel' | 'start'>): string =>
  JSON.stringify([guide, channel, start]);

/** By kind, then name. */
export const byStoredOrder = (a: GuideRecord, b: GuideRecord): number =>
  text(a.kind, b.kind) || text(a.name, b.name) || text(a.id, b.id);

/** By the parts of the number: 5, 5.1, 12. */
export function byNumber({ channel: a }: ScheduleRow, { channel: b }: ScheduleRow): number {
  const [one, other] = [a, b].map(({ number }) => number.split('.').map(Number));
  return (one?.[0] ?? 0) - (other?.[0] ?? 0) || (one?.[1] ?? -1) - (other?.[1] ?? -1) || text(a.id, b.id);
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
