/** The agents of the library, in one list: what each reads, and the code that reads it, loaded when it is asked. */
import type { IngestAgent } from '#core/ingest/agent.ts';
import { textIngester } from './text/text-ingester.ts';

/** Every agent of the library. */
export function libraryAgents(): readonly IngestAgent[] {
  return [textIngester];
}
