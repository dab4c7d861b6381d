/**
 * Resumable upload by content hash: the tus 1.0 protocol (https://tus.io/protocols/resumable-upload), spoken
 * with plain fetch. tus-js-client finds an interrupted upload by a file's name and date in its own storage;
 * here the hash is the upload's name, so the server alone knows how far it got.
 *
 *   HEAD --404--> POST --201--> PATCH ... PATCH --> HEAD: offset = length = size
 *     |200                        ^ |409: the server is at another offset
 *     +-- offset -----------------+ +--> HEAD
 */
import { failure, toFailure } from '#core/errors.ts';
import type { BlobStore } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { createSend, type HttpOptions, type HttpRequest } from './request.ts';
import type { CancelSignal } from '#core/cancel.ts';
import type { PublishPorts } from '#core/run/publish.ts';
import type { ServerClient } from './server-client.ts';

export interface Upload {
  sha256: string;
  /** Bytes. */
  size: number;
  /** Named in messages. */
  name: string;
  /** Throw away what the server has of it and begin at byte 0 (it arrived with another hash before). */
  fresh?: boolean;
  /** Bytes that the server has for certain. */
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal | undefined;
}

export interface Uploaded {
  /** Bytes sent by this call; 0 when the server had all of it. */
  sent: number;
  resumed_from: number;
}

type Uploader = (upload: Upload) => Promise<Result<Uploaded>>;

export interface UploaderOptions extends HttpOptions {
  blobs: Pick<BlobStore, 'size' | 'read'>;
  /** Bytes of one PATCH; also what is held in memory at a time. */
  chunkBytes?: number;
}

const CHUNK_BYTES = 4 * 1024 * 1024;
const CHUNK_TIMEOUT_MS = 120_000;
/** A server that keeps disagreeing about the offset is broken; not argued with for ever. */
const MAX_REALIGNMENTS = 5;
const TUS = { 'tus-resumable': '1.0.0' };

export function createUploader(options: UploaderOptions): Uploader {
  const send = createSend(options);
  const chunkBytes = options.chunkBytes ?? CHUNK_BYTES;

  /** How many bytes the server has, or null when it knows nothing of the upload. */
  async function offsetOf(path: string, size: number, signal?: AbortSignal): Promise<Result<number | null>> {
    const answer = await send({ method: 'HEAD', path, headers: TUS, signal, accept: [404, 410] });
    if (!answer.ok) return answer;
    if (!answer.value.ok) return ok(null);
    const offset = integer(answer.value.headers.get('upload-offset'));
    const length = integer(answer.value.headers.get('upload-length'));
    if (offset === null) return fail(failure('server_error', 'The server did not say how much of the upload it has.'));
    if (offset > size || (length !== null && length !== size))
      return fail(
        failure(
          'hash_mismatch',
          `What the server has under this hash has another size than the file here (${size} bytes).`,
        ),
      );
    return ok(offset);
  }

  async function create(path: string, upload: Upload): Promise<Result<number>> {
    const headers = {
      ...TUS,
      'upload-length': String(upload.size),
      'upload-metadata': `sha256 ${btoa(upload.sha256)}`,
      'idempotency-key': `upload-${upload.sha256}`,
    };
    // 409: somebody made it a moment ago (another tab, or our own request whose answer was lost).
    const answer = await send({ method: 'POST', path: '/v1/uploads', headers, signal: upload.signal, accept: [409] });
    if (!answer.ok) return answer;
    const offset = await offsetOf(path, upload.size, upload.signal);
    if (!offset.ok) return offset;
    return offset.value === null
      ? fail(failure('server_error', 'The server accepted an upload and then did not know it.'))
      : ok(offset.value);
  }

  /** The offset after the chunk; null when the server is at another one. */
  async function patch(path: string, upload: Upload, offset: number): Promise<Result<number | null>> {
    const end = Math.min(offset + chunkBytes, upload.size);
    const body = await readRange(options.blobs, upload.sha256, offset, end);
    if (body.length !== end - offset)
      return lost(upload, `The stored copy of "${upload.name}" is shorter than it was.`);
    const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
    const request: HttpRequest = {
      method: 'PATCH',
      path,
      headers,
      body,
      signal: upload.signal,
      timeoutMs: CHUNK_TIMEOUT_MS,
      accept: [404, 409, 410, 423],
    };
    const answer = await send(request);
    if (!answer.ok) return answer;
    return ok(answer.value.ok ? integer(answer.value.headers.get('upload-offset')) : null);
  }

  return async (upload) => {
    const path = `/v1/uploads/${upload.sha256}`;
    try {
      const size = await options.blobs.size(upload.sha256);
      if (size === null) return lost(upload, `The converted file of "${upload.name}" is not in this browser any more.`);
      if (size !== upload.size)
        return lost(upload, `The stored copy of "${upload.name}" has another size than it had.`);
      // What the server still has may be the very bytes that were wrong. A server without DELETE drops them itself.
      if (upload.fresh === true)
        await send({ method: 'DELETE', path, headers: TUS, signal: upload.signal, accept: [404, 405, 410, 501] });

      const start = await offsetOf(path, upload.size, upload.signal);
      if (!start.ok) return start;
      let realignments = 0;
      let sent = 0;
      let offset = start.value;
      const resumed_from = offset ?? 0;
      for (;;) {
        if (offset === null) {
          const made = await create(path, upload);
          if (!made.ok) return made;
          offset = made.value;
        }
        upload.onProgress?.(offset);
        if (offset >= upload.size) return ok({ sent, resumed_from });
        const next = await patch(path, upload, offset);
        if (!next.ok) return next;
        if (next.value !== null && next.value > offset) {
          sent += next.value - offset;
          offset = next.value;
          if (offset < upload.size) continue;
        } else {
          realignments += 1;
          if (realignments > MAX_REALIGNMENTS)
            return fail(
              failure('server_error', `The server keeps losing its place in the upload of "${upload.name}".`),
            );
        }
        // At the end, and whenever the two disagree, the server's own word counts.
        const known = await offsetOf(path, upload.size, upload.signal);
        if (!known.ok) return known;
        offset = known.value;
      }
    } catch (error) {
      return fail(toFailure(error, upload.name));
    }
  };
}

function lost({ name: subject }: Upload, why: string): Result<never> {
  return fail(failure('blob_missing', why, { subject }));
}

/** Bytes [start, end) in one piece; at most one chunk, so that it fits in memory. */
async function readRange(
  blobs: Pick<BlobStore, 'read'>,
  sha256: string,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const out = new Uint8Array(end - start);
  let at = 0;
  for await (const part of blobs.read(sha256, start, end)) {
    if (at + part.length > out.length) return new Uint8Array(0);
    out.set(part, at);
    at += part.length;
  }
  return at === out.length ? out : out.slice(0, at);
}

function integer(value: string | null): number | null {
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null;
}

/** Sending results to the catalog server, for the publisher (core/run/publish.ts). */
export function publishPorts(client: Pick<ServerClient, 'commit'>, upload: Uploader): PublishPorts {
  return {
    commit: (body, key, signal) => client.commit(body, key, abortedWith(signal)),
    upload: ({ signal, ...wanted }) => upload({ ...wanted, signal: abortedWith(signal) }),
  };
}

/** The engine's signal as the platform's. */
function abortedWith(signal: CancelSignal): AbortSignal {
  const abort = new AbortController();
  if (signal.aborted) abort.abort();
  else signal.addEventListener('abort', () => abort.abort());
  return abort.signal;
}
