/**
 * Local time of a zone for many instants near each other: its offset is asked at both ends of a few hours, and the change
 * between them is looked for once. Instants are milliseconds since the epoch, local times the same number read as if it
 * were UTC.
 */
import { failed } from '#core/errors.ts';
import { Zone } from '../times/local-time.ts';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** Two changes of a zone's clock have never been as near to each other as this. */
const BUCKET = 3 * 60 * MINUTE;

interface Bucket {
  before: number;
  after: number;
  /** From this instant on `after` holds. */
  change: number;
}

export class ZoneClock {
  readonly #zone: Zone;
  readonly #buckets = new Map<number, Bucket>();

  /** Throws AccessionError `invalid` where there is no such zone. */
  constructor(zone: string) {
    if (/^[+-]/.test(zone)) throw unknownZone(zone);
    try {
      this.#zone = new Zone(zone);
    } catch {
      throw unknownZone(zone);
    }
  }

  /** Milliseconds that the local time is before UTC (west: negative). */
  offsetAt(instant: number): number {
    const { before, after, change } = this.#bucket(Math.floor(instant / BUCKET));
    return instant < change ? before : after;
  }

  localAt(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  /** A local time that does not exist moves on by the gap; one that exists twice is the first. */
  instantOf(local: number): number {
    const before = this.offsetAt(local - DAY);
    const after = this.offsetAt(local + DAY);
    const found = [local - before, local - after].filter((instant) => this.localAt(instant) === local);
    return found.length > 0 ? Math.min(...found) : local - before;
  }

  #bucket(n: number): Bucket {
    const known = this.#buckets.get(n);
    if (known) return known;
    const bucket = this.#look(n * BUCKET, (n + 1) * BUCKET);
    this.#buckets.set(n, bucket);
    return bucket;
  }

  #look(from: number, to: number): Bucket {
    const before = this.#zone.offsetAt(from);
    const after = this.#zone.offsetAt(to);
    let [low, high] = [from, to];
    while (before !== after && high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
      if (this.#zone.offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return { before, after, change: high };
  }
}

const clocks = new Map<string, ZoneClock>();

/** One a zone: what was looked up is kept. Throws as the constructor does. */
export function zoneClock(zone: string): ZoneClock {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new ZoneClock(zone);
  clocks.set(zone, clock);
  return clock;
}

function unknownZone(zone: string): Error {
  return failed('invalid', `There is no time zone "${zone.slice(0, 60)}".`);
}

/** Days since the epoch of `YYYY-MM-DD`. Throws AccessionError `invalid` where that is no day. */
export function dayNumber(day: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at) || dayText(at / DAY) !== day) throw failed('invalid', `"${day.slice(0, 20)}" is no day.`);
  return at / DAY;
}

export function dayText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** 1: Monday, 7: Sunday. */
export function weekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** `2026-03-02T08:00:00Z`. */
export function instantText(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
