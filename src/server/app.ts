import { Hono, type Context } from 'hono';
import { mountRoutes, openAddresses, catalogRoutes } from './api/routes.ts';
import type { Principal } from './auth/principal.ts';
import { requireIdentity } from './auth/require-permission.ts';
import type { Env } from './deps.ts';
import { answerError, HttpError } from './http/http-error.ts';
import { corsFor, onlyOwnHosts, securityHeaders } from './http/middleware.ts';
import type { ServerDeps } from './lane-server.ts';
import { createLimits } from './rates/limits.ts';
import { Metrics } from './watch/metrics.ts';
import { serveStatic } from '@hono/node-server/serve-static';

/** What adapter-static writes for every address that is not a file. */
const FALLBACK = '200.html';
const ONE_YEAR = 'public, max-age=31536000, immutable';

/**
 * The built app: its files, and its page for every other address (a deep link is the app's to understand). An
 * address that looks like a file and is none is 404, so that a page never arrives where a script was expected.
 */
export function staticApp(directory: string): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    await next();
    // Names under immutable/ carry the hash of their content; everything else is asked for again each time.
    const kept = c.res.status === 200 && c.req.path.startsWith('/_app/immutable/');
    c.res.headers.set('Cache-Control', kept ? ONE_YEAR : 'no-cache');
  });
  app.use(serveStatic({ root: directory, index: FALLBACK, precompressed: true }));
  app.get('*', async (c, next) => {
    if (/\.[a-z0-9]{1,8}$/i.test(c.req.path)) throw new HttpError('not_found', 'There is no such file.');
    return serveStatic<Env>({ root: directory, path: FALLBACK, precompressed: true })(c, next);
  });
  return app;
}

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
  app.use(onlyOwnHosts(deps.hosts));
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
      throw new HttpError('not_found', 'The API has no such route.', {
        remedy: 'GET /v1/openapi.json, or the page /v1/docs, lists the routes that there are.',
      });
    });

  if (deps.appDirectory !== null) app.route('/', staticApp(deps.appDirectory));
  return app;
}

/** Undefined where nobody was known: an open route, or a request that was refused. */
function userOf(c: Context<Env>): string | undefined {
  const principal: Principal | undefined = c.get('principal');
  return principal?.user_id;
}
