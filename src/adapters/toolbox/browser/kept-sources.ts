/** Answers of sources that this browser remembers, for when there is no network. */
import * as v from 'valibot';
import { RecordedSchema, type Recordings } from '#adapters/toolbox/recordings.ts';
import { openCache } from './open-cache.ts';

const CACHE = 'sources';
/** The oldest go. */
const MOST_KEPT = 200;
const placeOf = (key: string): string => `/sources/${key}`;

export function keptAnswers(): Recordings {
  return {
    async get(key) {
      const kept = await (await openCache(CACHE))?.match(placeOf(key));
      const row = v.safeParse(RecordedSchema, await kept?.json().catch(() => null));
      return row.success ? row.output : null;
    },
    async put(row) {
      const cache = await openCache(CACHE);
      if (cache === null) return;
      try {
        await cache.put(placeOf(row.key), new Response(JSON.stringify(row)));
        const keys = await cache.keys();
        await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_KEPT)).map((one) => cache.delete(one)));
      } catch {
        // There is no space: what was answered is answered all the same.
      }
    },
  };
}
