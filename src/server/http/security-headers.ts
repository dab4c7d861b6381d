import type { MiddlewareHandler } from 'hono';
import type { Env } from '../deps.ts';

/** The page's own policy is in its meta tag, where the build writes the hashes of its scripts; this is the rest. */
const HEADERS: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

export function securityHeaders(): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
    // Answers of the API belong to whoever asked with this token.
    if (c.req.path.startsWith('/v1/') && !c.res.headers.has('Cache-Control'))
      c.res.headers.set('Cache-Control', 'no-store');
  };
}
