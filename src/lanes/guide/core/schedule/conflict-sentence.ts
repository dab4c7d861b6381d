/** What stands in the way of a schedule, for a person: one sentence. */
import type { ScheduleConflict } from './types.ts';

export function conflictSentence({ code, block, day, video }: ScheduleConflict): string {
  const on = `Block "${block ?? ''}" on ${day ?? ''}`;
  switch (code) {
    case 'cut':
      return `${on} is cut off where the next block begins.`;
    case 'does-not-fit':
      return `${on}: "${video ?? ''}" does not fit, and waits for a longer one.`;
    case 'empty':
      return `Block "${block ?? ''}" has no video to play.`;
    case 'no-length':
      return `The length of "${video ?? ''}" is not known: it is left out.`;
    case 'no-such-day':
      return `${on} does not take place: its begin does not exist on that day.`;
    case 'no-time':
      return `${on} ends before it begins: the clock is changed in between.`;
    case 'same-start':
      return `${on} does not take place: another one begins at the same instant.`;
    case 'too-long':
      return `${on}: "${video ?? ''}" is longer than the block, and passed over.`;
  }
}
