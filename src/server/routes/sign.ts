import { Hono } from 'hono';
import { SignRequestSchema } from '#core/sync/protocol.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { readBody } from '../http/body.ts';

/** POST /v1/sign: a URL that reads one path without a header, for a while. */
export function signRoutes({ signer, clock }: Pick<CatalogDeps, 'signer' | 'clock'>): Hono<Env> {
  const app = new Hono<Env>();
  app.post('/', async (c) => {
    const { value } = await readBody(c, SignRequestSchema);
    return c.json(signer.sign(value.path, c.get('principal').user_id, clock.now()));
  });
  return app;
}
