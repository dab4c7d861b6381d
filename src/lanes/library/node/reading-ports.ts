import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import type { ReadingFilePorts } from '#lanes/library/core/indexing/read-file.ts';

/** Clock, timers and old encodings of Node, for reading files into chunks. */
export const readingPorts: Pick<ReadingFilePorts, 'clock' | 'timers' | 'decode'> = {
  clock: { now: () => Date.now() },
  timers: {
    set: (run, ms) => setTimeout(run, ms),
    clear: (handle) => clearTimeout(handle as NodeJS.Timeout | undefined),
  },
  decode: decodeLegacy,
};
