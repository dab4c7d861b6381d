import { CatalogFileSchema, ImportResultSchema } from '#core/sync/protocol.ts';
import { json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import { writeAudit } from '../audit/audit.ts';
import type { CatalogDeps } from '../deps.ts';
import { mutate } from '../http/mutate.ts';
import { importFile } from '../import/import-file.ts';

/** Bytes; an import of a hundred thousand tracks has about twenty million. */
const MAX_CATALOG = 128 * 1024 * 1024;

/** POST /v1/catalog/import */
export function catalogImportRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'events' | 'log'>): Route[] {
  return [
    route(
      {
        method: 'POST',
        path: '/v1/catalog/import',
        scope: 'EditCatalog',
        tag: 'Catalog',
        summary: 'Take over a catalog file (music, shows or both): all of it, or, with a bad row named, nothing.',
        body: CatalogFileSchema,
        maxBody: MAX_CATALOG,
        replies: { 200: json(ImportResultSchema, 'How many were created, updated, unchanged.') },
        failures: [409, 413, 422],
        idempotent: true,
      },
      async (c) => {
        const answer = await mutate(c, deps, CatalogFileSchema, async (tx, body, by) => {
          const result = await importFile(tx, body);
          deps.log.info('catalog imported', { ...result });
          const line = { at: deps.clock.now(), user_id: by.user_id, action: 'catalog.imported' } as const;
          await writeAudit(tx, { ...line, entity_id: 'catalog', details: { ...result } });
          return { status: 200, body: result };
        });
        deps.events.emit({ type: 'CatalogChanged' });
        return answer;
      },
    ),
  ];
}
