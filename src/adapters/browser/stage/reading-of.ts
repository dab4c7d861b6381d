import type { StageDeps } from './context.ts';
import { Reading } from './reading.ts';

/** The count of one batch's bytes. */
export function readingOf({ clock, gate, tell }: StageDeps, batchId: string): Reading {
  return new Reading({
    clock,
    ...(gate ? { gate } : {}),
    ...(tell ? { tell: (done, total) => tell(batchId, done, total) } : {}),
  });
}
