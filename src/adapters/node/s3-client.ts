import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { AccessionError, failure } from '#core/errors.ts';

/** What a bucket is called and where it is; no secret. */
interface S3Place {
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

/** S3's answers are flat XML of a few known elements; what is read of them is text alone. */

/** The text of the first element of that name, or null. */
export function textOf(xml: string, element: string): string | null {
  return textsOf(xml, element)[0] ?? null;
}

/** The content of every element of that name, elements inside included. */
export function textsOf(xml: string, element: string): string[] {
  const found = xml.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>([^]*?)</${element}>`, 'g'));
  return [...found].map(([, text = '']) => plain(text));
}

/** A text as it may be in an element. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plain(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, ten?: string, sixteen?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = ten === undefined ? parseInt(sixteen ?? '', 16) : Number(ten);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export interface S3Options extends S3Place {
  /** Before every key: empty, or ends with `/`. */
  prefix: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  pathStyle: boolean;
  accessKeyId: string;
  sessionToken: string | null;
  /** The secret key; given one that was refused, another one where there is one. */
  secret: (refused: string | null) => Promise<string>;
  /** For tests. Milliseconds. */
  wait?: (ms: number) => Promise<unknown>;
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without the prefix; null for the bucket itself. */
  key: string | null;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  /** Statuses besides those of success that are an answer and no failure. */
  expect?: readonly number[];
  /** Times that it is sent before it has failed; usually 5. */
  tries?: number;
}

const TRIES = 5;
/** Milliseconds before the second; doubled each time. */
const FIRST_WAIT_MS = 200;
/** Milliseconds until the answer begins. */
const PATIENCE_MS = 60_000;

export type S3Client = ReturnType<typeof createS3Client>;

/** Signed requests to one bucket. What may pass by itself (no answer, 503 SlowDown) is tried again. */
export function createS3Client(options: S3Options) {
  const { prefix, region, accessKeyId, sessionToken, secret: secretKey, wait = sleep } = options;
  const keys = new Map<string, ArrayBuffer>();

  /** The whole key of an object. */
  const full = (key: string): string => prefix + key;

  /**
   * The answer, its body not read yet. A request may have been carried out although an earlier try had no answer.
   * Throws S3Error.
   */
  async function send(request: S3Request): Promise<Response> {
    let secret = await secretKey(null);
    let renewed = false;
    for (let tried = 1; ; tried += 1) {
      const error = await once(request, secret);
      // Not asked the other way round: the server's library puts a Response of its own in the place of fetch's.
      if (!(error instanceof S3Error)) return error;
      if (error.refusesKey && !renewed) {
        renewed = true;
        const other = await secretKey(secret);
        if (other !== secret) {
          secret = other;
          continue;
        }
      }
      if (!error.passing || tried >= (request.tries ?? TRIES)) throw error;
      await wait(FIRST_WAIT_MS * 2 ** (tried - 1) * (0.5 + Math.random() / 2));
    }
  }

  /** The same, with the body as text. S3 says 200 before it copies or joins, and may still fail: that is a failure here. */
  async function sendForText(request: S3Request): Promise<{ status: number; text: string }> {
    const answer = await send(request);
    const text = await answer.text().catch((error: unknown) => {
      throw unreached(error);
    });
    const code = /<Error[\s>]/.test(text) ? textOf(text, 'Code') : null;
    if (answer.ok && code !== null) throw new S3Error(options, 500, code);
    return { status: answer.status, text };
  }

  async function once(request: S3Request, secret: string): Promise<Response | S3Error> {
    const { method, body = null, expect = [] } = request;
    const impatience = new AbortController();
    const timer = setTimeout(() => impatience.abort(new Error('no answer')), PATIENCE_MS);
    try {
      const { url, headers } = await signed(request, secret);
      const answer = await fetch(url, { method, headers, body, redirect: 'manual', signal: impatience.signal });
      if (answer.ok || expect.includes(answer.status)) return answer;
      const text = method === 'HEAD' ? '' : await answer.text();
      return new S3Error(options, answer.status, textOf(text, 'Code') ?? 'without a code');
    } catch (error) {
      return unreached(error);
    } finally {
      clearTimeout(timer);
    }
  }

  function signed({ method, key, query, headers, body }: S3Request, secret: string) {
    return new AwsV4Signer({
      method,
      url: addressOf(options, key === null ? '' : encodeKey(full(key)), query),
      // The storage compares it with what arrives: what changed on the way is refused.
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '') },
      accessKeyId,
      secretAccessKey: secret,
      ...(sessionToken === null ? {} : { sessionToken }),
      service: 's3',
      region,
      cache: keys,
    }).sign();
  }

  function unreached(error: unknown): S3Error {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection broke';
    return new S3Error(options, 0, code);
  }

  const place: S3Place = options;
  return { place, full, send, sendForText };
}

/** @param path the encoded key with its prefix; empty for the bucket itself */
export function addressOf(
  { endpoint, bucket, pathStyle }: Pick<S3Options, 'endpoint' | 'bucket' | 'pathStyle'>,
  path: string,
  query: Record<string, string> = {},
): string {
  const url = new URL(endpoint);
  const before = url.pathname.replace(/\/$/, '');
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  url.pathname = pathStyle ? `${before}/${bucket}${path === '' ? '' : `/${path}`}` : `${before}/${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** Every character but those that no signature has to think about. Throws for a key that an address would shorten. */
export function encodeKey(key: string): string {
  const parts = key.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new Error('a media path left its directory');
  return parts
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');
}
