import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import { systemClock as clock, systemTimers } from '#adapters/browser/system.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import type { FromThread, ToThread } from '#lanes/library/core/indexing/thread-messages.ts';
import { threadReader } from '#lanes/library/core/indexing/thread-reader.ts';
import { browserPdfReader } from './pdf-files.ts';
import { browserParser } from './syntax-files.ts';

/** What a worker that reads files does with each message. */
export function browserReadingThread(say: (message: FromThread) => void): (message: ToThread) => void {
  const [syntax, pdf] = [browserParser(), browserPdfReader()];
  const timers = {
    set: (run: () => void, ms: number) => systemTimers.set(run, ms),
    clear: (timer: unknown) => systemTimers.clear(timer),
  };
  return threadReader({ clock, timers, decode: decodeLegacy, own: (ask) => libraryAgents({ syntax, pdf, ask }) }, say);
}
