import { json, route, type Route } from '../api/route.ts';
import { writeAudit } from '../audit/audit.ts';
import type { ServerDeps } from '../lane-server.ts';
import { mutate } from '../http/mutate.ts';
import { catalogFileSchema, importFile, importResultSchema } from './import-file.ts';

/** Bytes; an import of a hundred thousand tracks has about twenty million. Whole catalogs are the administrators' work. */
const MAX_CATALOG = { EditCatalog: 32 * 1024 * 1024, Admin: 128 * 1024 * 1024 };

/** POST /v1/catalog/import: the lists of all lanes. */
export function importRoutes(deps: Pick<ServerDeps, 'store' | 'clock' | 'events' | 'log' | 'lanes'>): Route[] {
  const imports = deps.lanes.flatMap((lane) => lane.imports);
  const schema = catalogFileSchema(imports);
  return [
    route('POST /v1/catalog/import', {
      scope: 'EditCatalog',
      tag: 'Catalog',
      summary:
        'Take over a catalog file with the lists of one lane or of several: all of it, or, with a bad row named, nothing.',
      body: schema,
      maxBody: MAX_CATALOG,
      replies: { 200: json(importResultSchema(imports), 'How many were created, updated, unchanged.') },
      failures: [409, 413, 422],
      idempotent: true,
      answer: (c) =>
        mutate(c, deps, schema, 'CatalogChanged', async (tx, body, by) => {
          const result = await importFile(tx, imports, body);
          deps.log.info('catalog imported', { ...result });
          const line = { at: deps.clock.now(), user_id: by.user_id, action: 'catalog.imported' } as const;
          await writeAudit(tx, { ...line, entity_id: 'catalog', details: { ...result } });
          return { status: 200, body: result };
        }),
    }),
  ];
}
