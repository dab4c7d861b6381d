import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AccessionError, failure, type Failure, type FailureCode } from '#core/errors.ts';

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
      cause?: unknown;
    } = {},
  ) {
    super(failure(code, message), { cause: extra.cause });
    this.status = extra.status ?? statusOf(code);
    this.headers = extra.headers ?? {};
    this.details = extra.details ?? {};
  }
}

/** HTTP status of a failure code. */
export function statusOf(code: FailureCode): ContentfulStatusCode {
  return STATUS[code] ?? 500;
}

/** `error` of an answer: code, message, what to do, and what the place added. */
export function errorBody(value: Failure, details: Record<string, unknown> = {}): { error: Record<string, unknown> } {
  return { error: { code: value.code, message: value.message, remedy: value.remedy, ...details } };
}
