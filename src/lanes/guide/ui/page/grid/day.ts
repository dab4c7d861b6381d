/** Days of this place: true to the minute where the clock is changed, so that one may have 23 or 25 hours. */

export interface LocalDay {
  from: number;
  to: number;
}

export function dayOf(instant: number): LocalDay {
  const at = new Date(instant);
  const [year, month, date] = [at.getFullYear(), at.getMonth(), at.getDate()];
  return { from: new Date(year, month, date).getTime(), to: new Date(year, month, date + 1).getTime() };
}

/** The day so many days on. */
export function dayAfter({ from }: LocalDay, days: number): LocalDay {
  const at = new Date(from);
  // Noon is there on every day.
  return dayOf(new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 12).getTime());
}

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

export const timeWords = (instant: number): string => TIME.format(instant);
export const dayWords = ({ from }: LocalDay): string => DAY.format(from);

/** Instants at which an hour of the wall clock begins: 23, 24 or 25. */
export function hoursOf({ from, to }: LocalDay): number[] {
  const hours: number[] = [];
  for (let at = from; at < to; at += 3_600_000) hours.push(at);
  return hours;
}

/** `2026-03-10`, as an input for days has it. */
export function inputDay({ from }: LocalDay): string {
  const at = new Date(from);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Null where that is no day. */
export function dayOfInput(text: string): LocalDay | null {
  const found = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(text);
  return found === null
    ? null
    : dayOf(new Date(Number(found[1]), Number(found[2]) - 1, Number(found[3]), 12).getTime());
}
