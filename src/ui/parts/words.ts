/** Numbers as words for a person. Plain English everywhere; no locale decides what a test reads. */

export type Tone = 'neutral' | 'busy' | 'good' | 'attention' | 'bad';

/** 0..1 as `97 %`; never rounded up to a certainty that it is not. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  return `${share < 1 ? Math.min(99, rounded) : 100}\u00a0%`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Bytes with a decimal unit, three digits at most. */
export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)}\u00a0${units[unit] ?? 'TB'}`;
}

/** Milliseconds between two lengths as `+0:07`, `-2:18`; under ten seconds with a tenth: `+0.4 s`. */
export function lengthDifference(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  if (seconds < 0.05) return '\u00b10.0\u00a0s';
  const sign = ms < 0 ? '\u2212' : '+';
  if (seconds < 9.95) return `${sign}${seconds.toFixed(1)}\u00a0s`;
  const whole = Math.round(seconds);
  return `${sign}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Milliseconds of work as `40 ms`, `1.2 s`, `3:05 min`. */
export function elapsed(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}\u00a0ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}\u00a0s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}\u00a0min`;
}

// Made once: to make it costs a hundred times what to use it costs, and long lists say many moments.
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The last moment (epoch milliseconds) that a Date can be. */
const LAST = 8.64e15;

/** A moment (epoch milliseconds) as the person's own date and time. */
export function moment(at: number): string {
  return Math.abs(at) <= LAST ? MOMENT.format(at) : 'at an unknown time';
}

export function confidenceClass(confidence: number): Tone {
  return confidence > 0.9 ? 'good' : confidence >= 0.6 ? 'attention' : 'bad';
}
