/** GET /v1/storage: what is damaged, how far the scrub is, and what the database has lost. */
import * as v from 'valibot';
import { json, route, type Route } from '../api/route.ts';
import type { CatalogDeps } from '../deps.ts';
import { damageCount, knownDamage, knownLoss } from './damage.ts';
import { nameOf, remedyFor, WRONG } from './finding.ts';
import { readScrub } from './scrub.ts';

/** Damaged files that are named. */
const NAMED = 200;

const PassSchema = v.object({
  begun_at: v.number(),
  finished_at: v.nullable(v.number()),
  files: v.number(),
  bytes: v.number(),
  damaged: v.number(),
});

const StorageSchema = v.object({
  /** Of all files that are known to be damaged. */
  damaged_count: v.number(),
  /** The first of them, by name. */
  damaged: v.array(v.object({ name: v.string(), wrong: v.string(), remedy: v.string(), found_at: v.number() })),
  /** The pass of the scrub that is under way, or the last one; null before the first. */
  scrub: v.nullable(PassSchema),
  /** When the database was found to be older than what was last answered from it, and what is missing. */
  lost: v.nullable(v.object({ at: v.number(), sentence: v.string() })),
});

export function storageRoutes({ store }: Pick<CatalogDeps, 'store'>): Route[] {
  return [
    route('GET /v1/storage', {
      scope: 'Admin',
      tag: 'Service',
      summary: 'Which files are damaged, with what can be done, and when all were last verified.',
      replies: { 200: json(StorageSchema, 'What is known.') },
      async answer(c) {
        const scrub = await readScrub(store.db);
        const found = await knownDamage(store.db, NAMED);
        return c.json({
          damaged_count: await damageCount(store.db),
          damaged: found.map((file) => ({
            ...{ name: nameOf(file), wrong: WRONG[file.wrong], remedy: remedyFor(file), found_at: file.found_at },
          })),
          scrub: scrub && v.parse(PassSchema, scrub),
          lost: await knownLoss(store.db),
        });
      },
    }),
  ];
}
