/** What a look-up in this browser works with: its own fetch, answers kept in the database, and what it cannot reach. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { Timers } from '#adapters/http/socket.ts';
import type { CancelSource } from '#core/cancel.ts';
import type { Clock } from '#core/ports.ts';
import type { AnswerCache } from '#lanes/documents/core/lookup/cache.ts';
import type { LookupHost } from '#lanes/documents/core/lookup/hosts.ts';
import { createLookup, type Lookup } from '#lanes/documents/core/lookup/lookup.ts';
import { metadataWire } from '#lanes/documents/http/metadata-wire.ts';

/** These answer no page of another origin (CORS). */
const CLOSED: ReadonlySet<LookupHost> = new Set(['doi.org', 'export.arxiv.org']);

/** A host that failed so often in a row is left alone until the person asks again: the network is gone, or it is. */
const PATIENCE = 3;

export interface LookupHere {
  db: AccessionDb;
  clock: Clock;
  timers: Timers;
  fetch?: typeof fetch;
  /** As it is when it is looked at: the person may answer, go offline or cancel in the middle. */
  now(): { cancel: CancelSource; offline: boolean; contact: string };
}

/** One look-up serves the whole page, so that no host is asked by two at once. `again`: hosts that failed are asked anew. */
export function lookupHere({ db, clock, timers, now, ...using }: LookupHere): { lookup: Lookup; again: () => void } {
  const failures = new Map<string, number>();
  const wire = metadataWire(using.fetch === undefined ? {} : { fetch: using.fetch });
  const lookup = createLookup({
    clock,
    wait: (ms) => waited(ms, timers, now().cancel),
    random: Math.random,
    get cancel() {
      return now().cancel;
    },
    get offline() {
      return now().offline;
    },
    get contact() {
      return now().contact || null;
    },
    cache: answersIn(db),
    wire: {
      async get(url, accept) {
        const { host } = new URL(url);
        try {
          const answer = await wire.get(url, accept);
          failures.delete(host);
          return answer;
        } catch (error) {
          failures.set(host, (failures.get(host) ?? 0) + 1);
          throw error;
        }
      },
    },
    outOfReach(host) {
      if (CLOSED.has(host)) return `${host} cannot be asked from a browser.`;
      return (failures.get(host) ?? 0) < PATIENCE ? null : `${host} did not answer.`;
    },
  });
  return { lookup, again: () => failures.clear() };
}

/** Or until it is cancelled. */
function waited(ms: number, timers: Timers, cancel: CancelSource): Promise<void> {
  return new Promise((resolve) => {
    const timer = timers.set(resolve, ms);
    cancel.addEventListener('abort', () => {
      timers.clear(timer);
      resolve();
    });
  });
}

function answersIn(db: AccessionDb): AnswerCache {
  return {
    get: async (key) => (await db.document_answers.get(key)) ?? null,
    async put(key, answer) {
      await db.document_answers.put({ key, ...answer });
    },
  };
}
