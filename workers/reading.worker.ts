/** Reads files for library.worker, which ends it where a parser is stuck, and when all is read: the memory of parsers never shrinks. */
import { expose } from 'comlink';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { browserReadingThread } from '#lanes/library/browser/reading-thread.ts';

endWithPage(null, self);
expose(browserReadingThread());
