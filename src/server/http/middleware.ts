import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { CAGE_SCRIPT, cagePolicy } from '#core/toolbox/cage-policy.ts';
import type { Env } from '../deps.ts';
import { HttpError } from './http-error.ts';

/** Lets pages of exactly these origins call the API. There are no cookies, so no credentials are allowed. */
export function corsFor(origins: readonly string[]): MiddlewareHandler<Env> {
  return cors({
    origin: (origin) => (origins.includes(origin) ? origin : null),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'Range',
      'Tus-Resumable',
      'Upload-Length',
      'Upload-Metadata',
      'Upload-Offset',
    ],
    exposeHeaders: [
      'Accept-Ranges',
      'Content-Range',
      'ETag',
      'Idempotent-Replayed',
      'Location',
      'Retry-After',
      'Tus-Resumable',
      'Upload-Length',
      'Upload-Offset',
    ],
    maxAge: 600,
  });
}

/** Of this machine: a name that a page elsewhere cannot make its own. */
const LOOPBACK = /^(?:localhost|[^:]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether the server answers at this `Host` (with its port or not): this machine's own names, and those that it is set
 * to have. Anything else is a name that somebody made lead here, to read with a visitor's browser what is on it (DNS
 * rebinding).
 */
export function isOwnHost(host: string, hosts: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return LOOPBACK.test(name) || hosts.includes(name);
}

/** 421 for a request that was meant for another host. */
export function onlyOwnHosts(hosts: readonly string[]): MiddlewareHandler<Env> {
  return async (c, next) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host;
    if (!isOwnHost(host, hosts))
      throw new HttpError('forbidden', `This server does not answer as "${host}".`, {
        status: 421,
        remedy: 'Whoever runs it names its hosts in accession.toml ([server] hosts) or in ACCESSION_HOSTS.',
      });
    await next();
  };
}

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
    if (c.req.path === CAGE_SCRIPT)
      headers.set('Content-Security-Policy', `${cagePolicy(new URL(c.req.url).search)}; ${FRAMES}`);
    else if (!headers.has('Content-Security-Policy'))
      headers.set('Content-Security-Policy', api ? `default-src 'none'; ${FRAMES}` : FRAMES);
    // Answers of the API belong to whoever asked with this token.
    if (api && !headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  };
}

/** Seconds after which a workstation asks again; what waits there is kept. */
const RETRY_SECONDS = 300;

/** In front of what takes audio in, where accession.toml says `[ingestion] enabled = false`. */
export const ingestionOff: MiddlewareHandler<Env> = () => {
  throw new HttpError('server_error', 'Ingestion is switched off on this server ([ingestion] enabled).', {
    status: 503,
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
};
