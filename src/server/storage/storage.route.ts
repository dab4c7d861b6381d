/** GET /v1/storage: what is damaged, how far the scrub is, and what the database has lost. */
import * as v from 'valibot';
import { StorageAnswerSchema, StoragePassSchema } from '#core/sync/storage-answer.ts';
import { json, route, type Route } from '../api/route.ts';
import type { CatalogDeps } from '../deps.ts';
import { damageCount, knownDamage, knownLoss } from './damage.ts';
import { nameOf, remedyFor, WRONG } from './finding.ts';
import { readScrub } from './scrub.ts';

/** Damaged files that are named. */
const NAMED = 200;

export function storageRoutes({ store }: Pick<CatalogDeps, 'store'>): Route[] {
  return [
    route('GET /v1/storage', {
      scope: 'Admin',
      tag: 'Service',
      summary: 'Which files are damaged, with what can be done, and when all were last verified.',
      replies: { 200: json(StorageAnswerSchema, 'What is known.') },
      async answer(c) {
        const scrub = await readScrub(store.db);
        const found = await knownDamage(store.db, NAMED);
        return c.json({
          damaged_count: await damageCount(store.db),
          damaged: found.map((file) => ({
            ...{ name: nameOf(file), wrong: WRONG[file.wrong], remedy: remedyFor(file), found_at: file.found_at },
          })),
          scrub: scrub && v.parse(StoragePassSchema, scrub),
          lost: await knownLoss(store.db),
        });
      },
    }),
  ];
}
