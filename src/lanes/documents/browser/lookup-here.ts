/**
 * What a look-up in this browser works with: its own fetch, answers kept in the database, and the catalog server for
 * what it cannot reach itself.
 */
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { Timers } from '#adapters/http/socket.ts';
import type { CancelSource } from '#core/cancel.ts';
import { failed } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { AnswerCache } from '#lanes/documents/core/lookup/cache.ts';
import type { LookupHost, MoreSource } from '#lanes/documents/core/lookup/hosts.ts';
import { createLookup, type Lookup } from '#lanes/documents/core/lookup/lookup.ts';
import { metadataWire } from '#lanes/documents/http/metadata-wire.ts';
import { askRelay } from '#lanes/documents/http/ask-relay.ts';

/** These answer no page of another origin (CORS). */
const CLOSED: ReadonlySet<string> = new Set<LookupHost>(['doi.org', 'export.arxiv.org']);
const isClosed = (host: string): boolean => CLOSED.has(host);

/** A host that failed so often in a row is left alone until the person asks again: the network is gone, or it is. */
const PATIENCE = 3;

export interface LookupHere {
  db: AccessionDb;
  clock: Clock;
  timers: Timers;
  fetch?: typeof fetch;
  /** The catalog server, which asks those for us; absent: there is none. */
  server?: () => Promise<HttpOptions>;
  /** As it is when it is looked at: the person may answer, go offline or cancel in the middle. */
  now(): { cancel: CancelSource; offline: boolean; contact: string; more: readonly MoreSource[] };
}

/** One look-up serves the whole page, so that no host is asked by two at once. `again`: hosts that failed are asked anew. */
export function lookupHere({ db, clock, timers, now, server, ...using }: LookupHere): {
  lookup: Lookup;
  again: () => void;
} {
  const failures = new Map<string, number>();
  /** Why the catalog server had no answer, by host and identifier. */
  const relayed = new Map<string, string>();
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
    get more() {
      return now().more;
    },
    cache: answersIn(db),
    wire: {
      async get(url, accept, about) {
        const { host } = new URL(url);
        if (server !== undefined && isClosed(host)) {
          const answer = await askRelay(await server(), about);
          if ('status' in answer) return answer;
          relayed.set(`${host} ${about.identifier.value}`, answer.why);
          throw failed('offline', answer.why);
        }
        try {
          const answer = await wire.get(url, accept, about);
          failures.delete(host);
          return answer;
        } catch (error) {
          failures.set(host, (failures.get(host) ?? 0) + 1);
          throw error;
        }
      },
    },
    outOfReach(host, { value }) {
      if (isClosed(host)) {
        const alone = `${host} cannot be asked from a browser`;
        if (server === undefined) return `${alone}.`;
        const why = relayed.get(`${host} ${value}`);
        return why === undefined ? null : `${alone}; the server: ${why}`;
      }
      return (failures.get(host) ?? 0) < PATIENCE ? null : `${host} did not answer.`;
    },
  });
  return {
    lookup,
    again() {
      failures.clear();
      relayed.clear();
    },
  };
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
