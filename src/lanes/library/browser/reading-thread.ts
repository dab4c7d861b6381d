import { browserPdfText } from '#adapters/browser/pdf-text.ts';
import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import { systemClock as clock, systemTimers } from '#adapters/browser/system.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import type { FromThread, ToThread } from '#lanes/library/core/indexing/thread-messages.ts';
import { threadReader } from '#lanes/library/core/indexing/thread-reader.ts';
import { pdfReader } from '#lanes/library/pdf/pdf-reader.ts';
import { browserParser } from './syntax-files.ts';

/** The RPC interface of a worker that reads files. */
export interface ReadingApi {
  /** Called once, before anything is heard. */
  listen(heard: (message: FromThread) => void): void;
  hear(message: ToThread): void;
}

export function browserReadingThread(): ReadingApi {
  const [syntax, pdf] = [browserParser(), pdfReader(browserPdfText())];
  const timers = {
    set: (run: () => void, ms: number) => systemTimers.set(run, ms),
    clear: (timer: unknown) => systemTimers.clear(timer),
  };
  let say = (_message: FromThread): void => undefined;
  const hear = threadReader(
    { clock, timers, decode: decodeLegacy, own: (ask) => libraryAgents({ syntax, pdf, ask }) },
    (message) => say(message),
  );
  return { hear, listen: (heard) => void (say = heard) };
}
