import { Hono } from 'hono';
import type { CatalogDeps, Env } from '../deps.ts';

/** GET /v1/config: what workstations take over as their defaults. */
export function configRoutes({ defaults }: Pick<CatalogDeps, 'defaults'>): Hono<Env> {
  const app = new Hono<Env>();
  app.get('/', (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json(defaults);
  });
  return app;
}
