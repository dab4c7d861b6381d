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
  app.use(
    serveStatic({
      root: directory,
      index: FALLBACK,
      onFound: (path, c) => {
        // Names under immutable/ carry the hash of their content; everything else is asked for again each time.
        c.header('Cache-Control', path.includes('/_app/immutable/') ? ONE_YEAR : 'no-cache');
      },
    }),
  );
  app.get('*', async (c, next) => {
    if (/\.[a-z0-9]{1,8}$/i.test(c.req.path)) throw new HttpError('not_found', 'There is no such file.');
    const page = await serveStatic<Env>({ root: directory, path: FALLBACK })(c, next);
    if (!(page instanceof Response)) throw new HttpError('not_found', 'The app is not built; run "npm start" or "npm run build".');
    page.headers.set('Cache-Control', 'no-cache');
    return page;
  });
  return app;
}
