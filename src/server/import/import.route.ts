import { json, route, type Route } from '../api/route.ts';
import { takeBeside } from '../beside/take-beside.ts';
import type { ServerDeps } from '../lane-server.ts';
import { send, mutate } from '../http/mutate.ts';
import { catalogFileSchema, importResultSchema } from './import-file.ts';
import { importCatalogFile } from './import-request.ts';

/** Bytes; an import of a hundred thousand tracks has about twenty million. Whole catalogs are the administrators' work. */
const MAX_CATALOG = { EditCatalog: 32 * 1024 * 1024, Admin: 128 * 1024 * 1024 };

/** Bytes from which a file is taken over in a process of its own, where there can be one. */
const BESIDE = 1024 * 1024;

type ImportDeps = Pick<ServerDeps, 'store' | 'clock' | 'events' | 'log' | 'lanes' | 'beside'>;

/** POST /v1/catalog/import: the lists of all lanes. */
export function importRoutes(deps: ImportDeps): Route[] {
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
      async answer(c) {
        const beside = await takeBeside(c, deps.beside, { task: 'import', from: BESIDE, most: MAX_CATALOG.Admin });
        if (beside === null)
          return mutate(c, deps, schema, 'CatalogChanged', async (tx, body, by) => {
            const made = await importCatalogFile(tx, imports, body, by, deps.clock.now());
            deps.log.info('catalog imported', { ...made.body });
            return made;
          });
        if (!beside.replayed) deps.log.info('catalog imported', { ...beside.answer.body });
        deps.events.emit({ type: 'CatalogChanged' });
        return send(c, beside.answer, beside.replayed);
      },
    }),
  ];
}
