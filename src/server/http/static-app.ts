import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { Env } from '../deps.ts';
import { HttpError } from './http-error.ts';

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
  app.use(serveStatic({ root: directory, index: FALLBACK }));
  app.get('*', async (c, next) => {
    if (/\.[a-z0-9]{1,8}$/i.test(c.req.path)) throw new HttpError('not_found', 'There is no such file.');
    return serveStatic<Env>({ root: directory, path: FALLBACK })(c, next);
  });
  return app;
}
