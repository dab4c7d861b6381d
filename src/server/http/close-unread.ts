import type { MiddlewareHandler } from 'hono';
import type { Env } from '../deps.ts';

/**
 * Says `Connection: close` with an answer that is given before all of the request's body has come. What still comes is
 * not waited for, so the connection ends; a client that is not told would send its next request into it.
 */
export function closeUnread(): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    const { incoming } = c.env;
    const hasBody = c.req.header('content-length') !== undefined || c.req.header('transfer-encoding') !== undefined;
    if (hasBody && incoming !== undefined && !incoming.complete) c.header('Connection', 'close');
  };
}
