/** What a look-up on this machine works with. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LookupPorts } from '#lanes/documents/core/lookup/lookup.ts';
import { metadataWire } from '#lanes/documents/http/metadata-wire.ts';
import { answerFolder } from './answer-folder.ts';

/** @param data the data directory, in which answers are kept */
export function lookupInNode(data: string, signal: AbortSignal, send: typeof fetch = fetch): LookupPorts {
  return {
    clock: { now: () => Date.now() },
    wait: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    random: Math.random,
    cancel: signal,
    cache: answerFolder(join(data, 'documents', 'answers')),
    wire: metadataWire({ fetch: send, signal, userAgent: 'Accession/0.2 (offline catalog; one request at a time)' }),
  };
}
