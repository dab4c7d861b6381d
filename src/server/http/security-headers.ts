import type { MiddlewareHandler } from 'hono';
import type { Env } from '../deps.ts';

const FRAMES = "frame-ancestors 'none'";
/** The page's own policy is in its meta tag, where the build writes the hashes of its scripts; this is the rest. */
const HEADERS: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

export function securityHeaders(): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
    const api = c.req.path.startsWith('/v1/') || c.req.path.startsWith('/api/');
    // A page of the API has brought its own.
    if (!headers.has('Content-Security-Policy'))
      headers.set('Content-Security-Policy', api ? `default-src 'none'; ${FRAMES}` : FRAMES);
    // Answers of the API belong to whoever asked with this token.
    if (api && !headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  };
}
