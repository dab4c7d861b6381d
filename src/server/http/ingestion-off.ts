import type { MiddlewareHandler } from 'hono';
import type { Env } from '../deps.ts';
import { HttpError } from './http-error.ts';

/** Seconds after which a workstation asks again; what waits there is kept. */
const RETRY_SECONDS = 300;

/** In front of what takes audio in, where accession.toml says `[ingestion] enabled = false`. */
export const ingestionOff: MiddlewareHandler<Env> = () => {
  throw new HttpError('server_error', 'Ingestion is switched off on this server ([ingestion] enabled).', {
    status: 503,
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
};
