import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Env } from '../deps.ts';

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
