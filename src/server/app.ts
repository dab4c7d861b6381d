import { Hono, type Context } from 'hono';
import { mountRoutes, openAddresses } from './api/mount.ts';
import { catalogRoutes } from './api/routes.ts';
import type { Principal } from './auth/principal.ts';
import { requireIdentity } from './auth/require-permission.ts';
import type { Env } from './deps.ts';
import { answerError } from './http/answer-error.ts';
import { HttpError } from './http/http-error.ts';
import { closeUnread, corsFor, securityHeaders } from './http/middleware.ts';
import { staticApp } from './http/static-app.ts';
import type { ServerDeps } from './lane-server.ts';
import { createLimits } from './rates/limits.ts';
import { Metrics } from './watch/metrics.ts';

/**
 * The catalog server as a function of its parts. The routes under /v1 are those of the table (api/routes.ts), each
 * behind the permission that it names; beside them, GET /health and the app's own files are open.
 */
export function createCatalogApp(deps: ServerDeps, metrics = new Metrics(deps)): Hono<Env> {
  const app = new Hono<Env>();
  app.onError(answerError(deps.log));
  app.notFound(() => {
    throw new HttpError('not_found', 'There is nothing at this address.');
  });

  app.use(securityHeaders());
  app.use(closeUnread());
  app.use(async (c, next) => {
    const start = performance.now();
    await next();
    const ms = Math.round(performance.now() - start);
    const { method, path } = c.req;
    metrics.answered(method, c.get('route') ?? 'other', c.res.status, ms);
    // The path alone: a query may carry a signature.
    if (path.startsWith('/v1/') || path.startsWith('/api/'))
      deps.log.info('request', { method, path, status: c.res.status, ms, user_id: userOf(c) });
  });
  app.use(async (c, next) => {
    // No file system and no database takes one.
    if (c.req.url.includes('%00')) throw new HttpError('invalid', 'An address has no zero byte in it.');
    await next();
  });
  app.use('/v1/*', corsFor(deps.origins));
  app.use('/api/*', corsFor(deps.origins));
  app.use('/health', corsFor(deps.origins));

  const limits = createLimits(deps.store);
  const routes = catalogRoutes(deps, limits, metrics);
  const identity = requireIdentity(deps, openAddresses(routes), limits.refused);
  app.use('/v1/*', identity);
  // The specification's own addresses of plans.
  app.use('/api/*', identity);
  app.use('/metrics', identity);
  mountRoutes(app, routes, { ingestion: deps.defaults.ingestion, writes: limits.writes, clock: deps.clock });
  for (const rest of ['/v1/*', '/api/*'])
    app.all(rest, () => {
      throw new HttpError('not_found', 'The API has no such route.');
    });

  if (deps.appDirectory !== null) app.route('/', staticApp(deps.appDirectory));
  return app;
}

/** Undefined where nobody was known: an open route, or a request that was refused. */
function userOf(c: Context<Env>): string | undefined {
  const principal: Principal | undefined = c.get('principal');
  return principal?.user_id;
}
