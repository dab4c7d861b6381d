import { RestoreSchema, TrackVersionsSchema } from '#core/sync/versions.ts';
import { json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import { listVersions, restore, unpublish } from '../catalog/track-versions.ts';
import type { CatalogDeps } from '../deps.ts';
import { readBody } from '../http/body.ts';
import type { Locks } from '../keyed-lock.ts';

/** /v1/catalog/tracks/:id: the audio it has and had, and the way back. */
export function versionRoutes(
  deps: Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log' | 'events'>,
  lock: Locks,
): Route[] {
  const { store, events } = deps;
  const using = { ...deps, lock };
  return [
    route(
      {
        method: 'GET',
        path: '/v1/catalog/tracks/:id/versions',
        scope: 'ReadCatalog',
        tag: 'Catalog',
        summary: 'The audio that a track has and had, and who replaced or unpublished it.',
        replies: { 200: json(TrackVersionsSchema, 'The present one, and the former ones, newest first.') },
        failures: [404],
        idempotent: true,
      },
      async (c) => c.json(await listVersions(store.db, c.req.param('id'))),
    ),
    route(
      {
        method: 'POST',
        path: '/v1/catalog/tracks/:id/unpublish',
        scope: 'EditCatalog',
        tag: 'Catalog',
        summary: 'Take the audio of a track out of the catalog; the file is kept.',
        replies: { 200: json(TrackVersionsSchema, 'What the track has and had now.') },
        failures: [404],
        idempotent: true,
      },
      async (c) => {
        const answer = await unpublish(using, c.var.principal, c.req.param('id'));
        events.emit({ type: 'CatalogChanged' });
        return c.json(answer);
      },
    ),
    route(
      {
        method: 'POST',
        path: '/v1/catalog/tracks/:id/restore',
        scope: 'EditCatalog',
        tag: 'Catalog',
        summary: 'Make former audio of a track its present one again.',
        description: 'What is there now is kept in its place. The file is hashed and read anew.',
        body: RestoreSchema,
        replies: { 200: json(TrackVersionsSchema, 'What the track has and had now.') },
        failures: [404, 409, 422, 507],
        idempotent: true,
      },
      async (c) => {
        const { value } = await readBody(c, RestoreSchema);
        const answer = await restore(using, c.var.principal, c.req.param('id'), value.sha256);
        events.emit({ type: 'CatalogChanged' });
        return c.json(answer);
      },
    ),
  ];
}
