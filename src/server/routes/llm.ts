import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { CHAT_TYPE, ChatRequestSchema, MAX_CHAT_BYTES } from '#core/agent/llm/wire.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { readBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import type { Broker } from '../llm/broker.ts';
import type { Limits } from '../llm/usage-limits.ts';

/** /v1/llm: the model of this server, for its users. 404 where none is set up. */
export function llmRoutes({ broker }: Pick<CatalogDeps, 'broker'>): Hono<Env> {
  const app = new Hono<Env>();
  const limit = bodyLimit({
    maxSize: MAX_CHAT_BYTES,
    onError: () => {
      throw new HttpError('too_large', `A chat may have ${MAX_CHAT_BYTES} bytes.`);
    },
  });

  app.get('/models', async (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json(await present(broker).models());
  });

  app.post('/chat', limit, async (c) => {
    const model = present(broker);
    const { value } = await readBody(c, ChatRequestSchema);
    const opened = await model.open(c.get('principal').user_id, value);
    if (!opened.ok) {
      const seconds = Math.max(1, Math.ceil(opened.retryAfterMs / 1000));
      throw new HttpError('rate_limited', SENTENCE[opened.limit], { headers: { 'Retry-After': String(seconds) } });
    }
    // No proxy may gather the lines: each is shown as it comes.
    return c.body(opened.body, 200, {
      'Content-Type': `${CHAT_TYPE}; charset=utf-8`,
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
  });
  return app;
}

const SENTENCE: Record<keyof Limits, string> = {
  requests_per_minute: 'You have asked the model of this server as often as one user may within a minute.',
  tokens_per_day: 'You have used up the tokens that one user may take of the model of this server within a day.',
};

function present(broker: Broker | null): Broker {
  if (broker !== null) return broker;
  throw new HttpError('not_found', 'No model is set up on this server: it has no [agent] in its accession.toml.');
}
