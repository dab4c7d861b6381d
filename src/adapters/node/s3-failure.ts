import { AccessionError, failure } from '#core/errors.ts';

/** What a bucket is called and where it is; no secret. */
export interface S3Place {
  /** `https://s3.eu-central-1.amazonaws.com` */
  endpoint: string;
  region: string;
  bucket: string;
}

/** A request that the storage refused or that never got through. The reason is for the log and for who runs the server. */
export class S3Error extends AccessionError {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** As S3 names it (`NoSuchBucket`), or a system's code (`ECONNREFUSED`). */
  readonly code: string;
  /** One sentence without any secret. */
  readonly reason: string;

  constructor(place: S3Place, status: number, code: string) {
    const reason = sentence(place, status, code);
    const full = status === 507 || /^(XMinioStorageFull|QuotaExceeded|XMinioAdminBucketQuotaExceeded)$/.test(code);
    super(
      full
        ? failure('storage_full', 'The bucket of the server has no space left.')
        : failure('storage_failed', 'The bucket of the server does not take this now; its log says why.'),
      { cause: new Error(reason) },
    );
    this.status = status;
    this.code = code;
    this.reason = reason;
  }

  /** Worth another try, a little later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500 || this.code === 'RequestTimeout';
  }

  /** The key is not known, or is not this one any more. */
  get refusesKey(): boolean {
    return ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'].includes(this.code);
  }
}

function sentence({ endpoint, region, bucket }: S3Place, status: number, code: string): string {
  const at = `the storage at ${endpoint}`;
  const name = `the bucket "${bucket}"`;
  if (status === 0) return `${capital(at)} cannot be reached (${code}).`;
  if (code === 'NoSuchBucket') return `There is no bucket "${bucket}" at ${endpoint}.`;
  if (code === 'InvalidAccessKeyId') return `${capital(at)} does not know the access key.`;
  if (code === 'SignatureDoesNotMatch') return `${capital(at)} says that the secret access key is wrong.`;
  if (code === 'ExpiredToken' || code === 'InvalidToken') return `${capital(at)} does not take the session token.`;
  if (code === 'RequestTimeTooSkewed') return `${capital(at)} says that this machine's clock is wrong.`;
  if (status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed')
    return `${capital(name)} is not in the region "${region}", or not at ${endpoint}.`;
  if (status === 403) return `The access key may not use ${name} (${code}).`;
  return `${capital(at)} answered ${status} ${code} for ${name}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
