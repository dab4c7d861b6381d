/** Local times of a zone (IANA) and the instants that they are. */

/** A day and a time of it, as a wall clock shows them. */
export interface WallTime {
  year: number;
  /** 1 is January. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** Milliseconds of a wall time as if it were UTC. */
export const asUtc = ({ year, month, day, hour, minute, second }: WallTime): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** So many answers of the platform are kept, which takes long to say one. */
const KEPT = 100_000;

/** Tells a zone's wall times. */
export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();
  readonly #days = new Map<number, number | null>();

  /** Throws RangeError where the platform does not know the zone. */
  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: name, hourCycle: 'h23', calendar: 'gregory' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  }

  /** Milliseconds that the zone's clock is ahead of UTC at an instant. */
  offsetAt(instant: number): number {
    return this.#offsetOf(Math.floor(instant / DAY)) ?? this.#offsetIn(instant);
  }

  /** Of a whole day in UTC, as no zone changes its clock and back within one; null: the clock changes on it. */
  #offsetOf(day: number): number | null {
    let offset = this.#days.get(day);
    if (offset === undefined) {
      const begin = this.#ask(day * DAY);
      offset = begin === this.#ask((day + 1) * DAY - MINUTE) ? begin : null;
      if (this.#days.size >= KEPT) this.#days.clear();
      this.#days.set(day, offset);
    }
    return offset;
  }

  #offsetIn(instant: number): number {
    const minute = Math.floor(instant / MINUTE);
    let offset = this.#offsets.get(minute);
    if (offset === undefined) {
      offset = this.#ask(minute * MINUTE);
      if (this.#offsets.size >= KEPT) this.#offsets.clear();
      this.#offsets.set(minute, offset);
    }
    return offset;
  }

  /** The instant of a wall time: one that does not exist moves on by the gap, one that is twice is the first. */
  instantOf(wall: WallTime): number {
    const local = asUtc(wall);
    // Both sides of a change that may lie near: offsets of a day before and after.
    const before = this.offsetAt(local - DAY);
    const after = this.offsetAt(local + DAY);
    const fits = [local - before, local - after].filter((instant) => instant + this.offsetAt(instant) === local);
    return fits.length > 0 ? Math.min(...fits) : local - before;
  }

  /** What the zone's clock shows at an instant. */
  wallAt(instant: number): WallTime {
    const date = new Date(instant + this.offsetAt(instant));
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
  }

  #ask(instant: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(instant)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
  }
}
