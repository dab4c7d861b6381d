/** How far work is and how long it takes, in words. */
import type { Amount } from '#core/job/time-left.ts';
import { bytes } from '../parts/words.ts';

/** `214 of 610 MB`: both in the unit of the whole, so that they can be compared at a glance. */
export function bytesOf({ done, total }: Amount): string {
  const [, unit = 'B'] = bytes(total).split('\u00a0');
  const scale = 1000 ** ['B', 'kB', 'MB', 'GB', 'TB'].indexOf(unit);
  const value = (count: number): string => {
    const scaled = count / scale;
    return unit === 'B' || total / scale >= 99.5
      ? String(Math.floor(scaled))
      : (Math.floor(scaled * 10) / 10).toFixed(1);
  };
  return `${done >= total ? bytes(total).split('\u00a0')[0] : value(done)} of ${bytes(total)}`;
}

/** `3 of 12`. */
export const filesOf = ({ done, total }: Amount): string => `${done} of ${total}`;

/** Milliseconds as `about 2 min left`, no more exact than anybody can know. */
export function leftWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 8) return 'a few seconds left';
  if (seconds < 52) return `about ${Math.max(10, Math.round(seconds / 10) * 10)}\u00a0s left`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `about ${minutes}\u00a0min left`;
  const rounded = Math.round(minutes / 5) * 5;
  const rest = rounded % 60;
  return `about ${Math.floor(rounded / 60)}\u00a0h${rest === 0 ? '' : ` ${rest}\u00a0min`} left`;
}
