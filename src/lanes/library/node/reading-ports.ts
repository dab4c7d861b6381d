import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import type { ReadingPorts } from '#core/ingest/read-chunks.ts';

/** Clock and timers of Node, for reading files into chunks. */
export const readingPorts: ReadingPorts = {
  clock: { now: () => Date.now() },
  timers: {
    set: (run, ms) => setTimeout(run, ms),
    clear: (handle) => clearTimeout(handle as NodeJS.Timeout | undefined),
  },
};

/** Text of encodings of before Unicode, by the platform's tables. */
export const decodeOldText = decodeLegacy;
