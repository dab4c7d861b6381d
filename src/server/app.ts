import { Hono } from 'hono';
import { mountRoutes, openAddresses } from './api/mount.ts';
import { catalogRoutes } from './api/routes.ts';
import { requireIdentity } from './auth/require-permission.ts';
import type { CatalogDeps, Env } from './deps.ts';
import { answerError } from './http/answer-error.ts';
import { corsFor } from './http/cors.ts';
import { HttpError } from './http/http-error.ts';
import { securityHeaders } from './http/security-headers.ts';
import { staticApp } from './http/static-app.ts';
import { createLimits } from './rates/limits.ts';

/**
 * The catalog server as a function of its parts. The routes under /v1 are those of the table (api/routes.ts), each
 * behind the permission that it names; beside them, GET /health and the app's own files are open.
 */
export function createCatalogApp(deps: CatalogDeps): Hono<Env> {
  const app = new Hono<Env>();
  app.onError(answerError(deps.log));
  app.notFound(() => {
    throw new HttpError('not_found', 'There is nothing at this address.');
  });

  app.use(securityHeaders());
  app.use(async (c, next) => {
    const start = performance.now();
    await next();
    // The path alone: a query may carry a signature.
    if (c.req.path.startsWith('/v1/')) {
      const ms = Math.round(performance.now() - start);
      deps.log.info('request', { method: c.req.method, path: c.req.path, status: c.res.status, ms });
    }
  });
  app.use('/v1/*', corsFor(deps.origins));
  app.use('/health', corsFor(deps.origins));

  const limits = createLimits(deps.store);
  const routes = catalogRoutes(deps, limits);
  app.use('/v1/*', requireIdentity(deps, openAddresses(routes), limits.refused));
  mountRoutes(app, routes, { ingestion: deps.defaults.ingestion, writes: limits.writes, clock: deps.clock });
  app.all('/v1/*', () => {
    throw new HttpError('not_found', 'The API has no such route.');
  });

  if (deps.appDirectory !== null) app.route('/', staticApp(deps.appDirectory));
  return app;
}
