import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { requirePermission } from './auth/require-permission.ts';
import type { CatalogDeps, Env } from './deps.ts';
import { answerError } from './http/answer-error.ts';
import { corsFor } from './http/cors.ts';
import { HttpError } from './http/http-error.ts';
import { ingestionOff } from './http/ingestion-off.ts';
import { securityHeaders } from './http/security-headers.ts';
import { staticApp } from './http/static-app.ts';
import { KeyedLock } from './keyed-lock.ts';
import { audioRoutes } from './routes/audio.ts';
import { catalogEditRoutes } from './routes/catalog-edit.ts';
import { catalogImportRoutes } from './routes/catalog-import.ts';
import { catalogReadRoutes } from './routes/catalog-read.ts';
import { changesRoutes } from './routes/changes.ts';
import { commitRoutes } from './routes/commits.ts';
import { configRoutes } from './routes/config.ts';
import { jobRoutes } from './routes/jobs.ts';
import { llmRoutes } from './routes/llm.ts';
import { requestRoutes } from './routes/requests.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { signRoutes } from './routes/sign.ts';
import { snapshotRoutes } from './routes/snapshot.ts';
import { uploadRoutes } from './routes/uploads.ts';

/** Bytes of a JSON body; an import of a hundred thousand tracks has about twenty million. */
const MAX_JSON = 128 * 1024 * 1024;

/**
 * The catalog server as a function of its parts. Every route under /v1 wants the permission EditCatalog; only
 * GET /health and the app's own files are open.
 */
export function createCatalogApp(deps: CatalogDeps): Hono<Env> {
  const app = new Hono<Env>();
  const lock = new KeyedLock();
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
  app.get('/health', (c) => c.json({ status: 'ok', version: deps.version, time: deps.clock.now() }));

  app.use('/v1/*', requirePermission(deps, 'EditCatalog'));
  const limit = bodyLimit({
    maxSize: MAX_JSON,
    onError: () => {
      throw new HttpError('too_large', `A request may have ${MAX_JSON} bytes.`);
    },
  });
  // Uploads have their own, larger limit.
  app.use('/v1/*', (c, next) => (c.req.path.startsWith('/v1/uploads') ? next() : limit(c, next)));

  app.get('/v1/me', (c) => c.json(c.get('principal')));
  app.route('/v1/config', configRoutes(deps));
  app.route('/v1/llm', llmRoutes(deps));
  app.route('/v1/sign', signRoutes(deps));
  app.route('/v1/catalog', catalogReadRoutes(deps));
  app.route('/v1/catalog', changesRoutes(deps));
  app.route('/v1/catalog', snapshotRoutes(deps));
  app.route('/v1/catalog', audioRoutes(deps));
  app.route('/v1/catalog', catalogImportRoutes(deps));
  app.route('/v1/catalog', catalogEditRoutes(deps));
  app.route('/v1/download-requests', requestRoutes(deps));
  if (!deps.defaults.ingestion) app.use('/v1/uploads/*', ingestionOff).use('/v1/ingestion/commits', ingestionOff);
  app.route('/v1/uploads', uploadRoutes(deps, lock));
  app.route('/v1/ingestion', commitRoutes(deps, lock));
  app.route('/v1/ingestion', jobRoutes(deps));
  app.route('/v1/ingestion/review', reviewRoutes(deps));
  // The socket itself is answered before the app is asked (websocket.ts).
  app.get('/v1/ws', () => {
    throw new HttpError('invalid', 'This address is for a WebSocket.', {
      status: 426,
      headers: { Upgrade: 'websocket' },
    });
  });
  app.all('/v1/*', () => {
    throw new HttpError('not_found', 'The API has no such route.');
  });

  if (deps.appDirectory !== null) app.route('/', staticApp(deps.appDirectory));
  return app;
}
