import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AccessionError, failure, FAILURES, type Failure, type FailureCode, isCode } from '#core/errors.ts';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Log } from '../log.ts';
import { databaseFailure } from '../store/database-failure.ts';

/** The status of each code, where the place that fails does not know a better one. */
const STATUS: Partial<Record<FailureCode, ContentfulStatusCode>> = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  cancelled: 409,
  invalid: 400,
  too_large: 413,
  rate_limited: 429,
  hash_mismatch: 422,
  not_vorbis: 422,
  file_damaged: 422,
  archive_corrupt: 422,
  verification_failed: 422,
  storage_full: 507,
};

/** A failure on its way to an answer. */
export class HttpError extends AccessionError {
  readonly status: ContentfulStatusCode;
  readonly headers: Record<string, string>;
  /** Further fields of the answer's `error`. */
  readonly details: Record<string, unknown>;

  constructor(
    code: FailureCode,
    message: string,
    extra: {
      status?: ContentfulStatusCode;
      headers?: Record<string, string>;
      details?: Record<string, unknown>;
      /** Where that of the code fits another case. */
      remedy?: string;
      cause?: unknown;
    } = {},
  ) {
    super(failure(code, message, extra.remedy === undefined ? {} : { remedy: extra.remedy }), { cause: extra.cause });
    this.status = extra.status ?? statusOf(code);
    this.headers = extra.headers ?? {};
    this.details = extra.details ?? {};
  }
}

/** HTTP status of a failure code. */
function statusOf(code: FailureCode): ContentfulStatusCode {
  return STATUS[code] ?? 500;
}

/** What helps at a server, where the usual advice is for whoever sits before the device that has the trouble. */
const HERE: Partial<Record<FailureCode, string>> = {
  storage_full:
    'Whoever runs the server frees space on its disk (ACCESSION_DATA, and temp_dir of [ingestion]); what waits is then sent by itself.',
  storage_failed: 'Whoever runs the server looks at its disk and its log; what waits is then sent by itself.',
};

/** `error` of an answer: code, message, what to do, and what the place added. */
export function errorBody(value: Failure, details: Record<string, unknown> = {}): { error: Record<string, unknown> } {
  const { code, message } = value;
  const remedy = value.remedy === FAILURES[code].remedy ? (HERE[code] ?? value.remedy) : value.remedy;
  return { error: { code, message, remedy, ...details } };
}

/** Turns whatever a route threw into `{ error: { code, message } }`. What nobody foresaw is logged, and its message is kept from the client. */
export function answerError(log: Log): (error: Error, c: Context) => Response {
  return (error, c) => {
    if (error instanceof HttpError) {
      for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
      return c.json(errorBody(error.failure, error.details), error.status);
    }
    if (error instanceof AccessionError && error.failure.code === 'storage_failed') {
      log.error('request failed', { path: c.req.path, error: String(error.cause ?? error.message) });
      c.header('Retry-After', '30');
      return c.json(errorBody(error.failure), 503);
    }
    if (error instanceof AccessionError) return c.json(errorBody(error.failure), statusOf(error.failure.code));
    if (error instanceof HTTPException)
      return c.json(
        errorBody(failure(codeOf(error.status), error.message || 'The request is not valid.')),
        error.status,
      );
    const database = databaseFailure(error);
    if (database?.kind === 'value') return c.json(errorBody(failure('invalid', database.message)), 400);
    log.error('request failed', { path: c.req.path, error: error.stack ?? error.message });
    if (database?.kind === 'full' || isCode(error, 'ENOSPC', 'EDQUOT'))
      return c.json(errorBody(failure('storage_full', 'The server has no space left.')), 507);
    // Read-only, broken, or not the server's to write.
    if (isCode(error, 'EROFS', 'EIO', 'EACCES', 'EPERM')) {
      c.header('Retry-After', '30');
      return c.json(errorBody(failure('storage_failed', DISK_REFUSES)), 503);
    }
    if (database?.kind === 'damaged') {
      const remedy = 'Whoever runs the server stops it, runs accession verify, and puts a backup back.';
      return c.json(errorBody(failure('server_error', database.message, { remedy })), 500);
    }
    if (database !== null) {
      c.header('Retry-After', '2');
      return c.json(errorBody(failure('server_error', database.message)), 503);
    }
    return c.json(errorBody(failure('server_error', 'The server could not do this; its log says why.')), 500);
  };
}

/** The failure code that fits a status that came without one. */
export function codeOf(status: number): FailureCode {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 409 || status === 412 || status === 423) return 'conflict';
  if (status === 413) return 'too_large';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server_error' : 'invalid';
}

const DISK_REFUSES = "The server's disk takes no writes now; its log says why.";
