/** Reads files for library.worker, which ends it where a parser is stuck, and when all is read: the memory of parsers never shrinks. */
import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import { systemClock as clock, systemTimers } from '#adapters/browser/system.ts';
import { browserPdfReader } from '#lanes/library/browser/pdf-files.ts';
import { browserParser } from '#lanes/library/browser/syntax-files.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { threadReader } from '#lanes/library/core/indexing/thread-reader.ts';
import type { ToThread } from '#lanes/library/core/indexing/thread-messages.ts';

const [syntax, pdf] = [browserParser(), browserPdfReader()];
const timers = {
  set: (run: () => void, ms: number) => systemTimers.set(run, ms),
  clear: (timer: unknown) => systemTimers.clear(timer),
};
const hear = threadReader(
  { clock, timers, decode: decodeLegacy, own: (ask) => libraryAgents({ syntax, pdf, ask }) },
  (message) => self.postMessage(message),
);
self.addEventListener('message', ({ data }: MessageEvent<ToThread>) => hear(data));
