import { Hono } from 'hono';
import { CatalogFileSchema } from '#core/sync/protocol.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { mutate } from '../http/mutate.ts';
import { importCatalog } from '../import/import-catalog.ts';

/** POST /v1/catalog/import */
export function catalogImportRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'events' | 'log'>): Hono<Env> {
  const app = new Hono<Env>();
  app.post('/import', async (c) => {
    const answer = await mutate(c, deps, CatalogFileSchema, async (tx, body) => {
      const result = await importCatalog(tx, body);
      deps.log.info('catalog imported', { ...result });
      return { status: 200, body: result };
    });
    deps.events.emit({ type: 'CatalogChanged' });
    return answer;
  });
  return app;
}
