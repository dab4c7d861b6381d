/** Reads files for library.worker, which ends it where a parser is stuck, and when all is read: the memory of parsers never shrinks. */
import { browserReadingThread } from '#lanes/library/browser/reading-thread.ts';

const hear = browserReadingThread((message) => self.postMessage(message));
self.addEventListener('message', ({ data }: MessageEvent<Parameters<typeof hear>[0]>) => hear(data));
