import type { StageDeps } from './context.ts';
import type { Gate } from './gate.ts';
import { Reading } from './reading.ts';

/** The count of one batch's bytes. */
export function readingOf({ clock, tell }: StageDeps, batchId: string, gate?: Gate): Reading {
  return new Reading({
    clock,
    ...(gate ? { gate } : {}),
    ...(tell ? { tell: (done, total) => tell(batchId, done, total) } : {}),
  });
}
