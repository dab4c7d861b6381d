import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createUploader, type Upload } from '#adapters/http/upload.ts';
import type { Failure } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { loopback, type Seen } from './loopback.ts';
import type { ServerResponse } from 'node:http';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const BYTES = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 251));
const SHA = createHash('sha256').update(BYTES).digest('hex');

/** The tus side of the server, with hooks for what goes wrong. */
async function tus(
  fault: (request: Seen, response: ServerResponse, held: Map<string, Buffer>) => boolean = () => false,
) {
  const held = new Map<string, Buffer>();
  const sizes = new Map<string, number>();
  const server = await loopback((request, response) => {
    if (fault(request, response, held)) return;
    const id = request.path.split('/')[3] ?? '';
    const have = held.get(id);
    const offset = (status: number) =>
      response
        .writeHead(status, {
          'upload-offset': String(held.get(id)?.length ?? 0),
          'upload-length': String(sizes.get(id) ?? 0),
        })
        .end();
    if (request.method === 'POST') {
      const [, encoded] = String(request.headers['upload-metadata']).split(' ');
      const name = Buffer.from(encoded ?? '', 'base64').toString();
      if (held.has(name)) return void response.writeHead(409).end();
      held.set(name, Buffer.alloc(0));
      sizes.set(name, Number(request.headers['upload-length']));
      return void response.writeHead(201, { location: `/v1/uploads/${name}` }).end();
    }
    if (request.method === 'DELETE') {
      held.delete(id);
      return void response.writeHead(204).end();
    }
    if (have === undefined) return void response.writeHead(404).end();
    if (request.method === 'HEAD') return void offset(200);
    if (Number(request.headers['upload-offset']) !== have.length) return void response.writeHead(409).end();
    held.set(id, Buffer.concat([have, request.body]));
    return void offset(204);
  });
  open.push(server);
  return { ...server, held, sizes };
}

function uploader(base: string, bytes: Buffer | null = BYTES) {
  return createUploader({
    baseUrl: base,
    token: async () => 'secret',
    chunkBytes: 300,
    blobs: {
      size: async () => bytes?.length ?? null,
      read: async function* (_sha, start = 0, end = BYTES.length) {
        // In pieces, as a store gives them.
        for (let at = start; at < end; at += 128) yield new Uint8Array(BYTES.subarray(at, Math.min(at + 128, end)));
      },
    },
  });
}

const UPLOAD: Upload = { sha256: SHA, size: BYTES.length, name: 'a.flac' };
const failureOf = (result: Result<unknown>): Failure | null => (result.ok ? null : result.failure);
const verbs = (seen: Seen[]) => seen.map((one) => one.method).join(' ');

describe('SYNC-15 resumable upload by content hash', () => {
  it('asks first, then sends in chunks, then asks again whether all of it is there', async () => {
    const server = await tus();
    const progress: number[] = [];
    const result = await uploader(server.base)({ ...UPLOAD, onProgress: (bytes) => progress.push(bytes) });
    expect(result).toEqual({ ok: true, value: { sent: 1000, resumed_from: 0 } });
    expect(server.held.get(SHA)?.equals(BYTES)).toBe(true);
    expect(verbs(server.seen)).toBe('HEAD POST HEAD PATCH PATCH PATCH PATCH HEAD');
    expect(progress).toEqual([0, 300, 600, 900, 1000]);
    expect(
      server.seen.every(
        ({ headers }) => headers['tus-resumable'] === '1.0.0' && headers.authorization === 'Bearer secret',
      ),
    ).toBe(true);
  });

  it('goes on where an earlier one broke off', async () => {
    const server = await tus();
    server.held.set(SHA, BYTES.subarray(0, 450));
    server.sizes.set(SHA, 1000);
    expect(await uploader(server.base)(UPLOAD)).toEqual({ ok: true, value: { sent: 550, resumed_from: 450 } });
    expect(server.held.get(SHA)?.equals(BYTES)).toBe(true);
  });

  it('sends nothing when the server has it all', async () => {
    const server = await tus();
    server.held.set(SHA, BYTES);
    server.sizes.set(SHA, 1000);
    expect(await uploader(server.base)(UPLOAD)).toEqual({ ok: true, value: { sent: 0, resumed_from: 1000 } });
    expect(verbs(server.seen)).toBe('HEAD');
  });

  it('a connection that dies in the middle is offline, and the next try resumes', async () => {
    let die = true;
    const server = await tus((request, response, held) => {
      if (!die || request.method !== 'PATCH' || request.headers['upload-offset'] !== '600') return false;
      // The bytes arrived, the answer did not.
      held.set(SHA, BYTES.subarray(0, 900));
      response.destroy();
      return true;
    });
    expect(failureOf(await uploader(server.base)(UPLOAD))?.code).toBe('offline');
    die = false;
    expect(await uploader(server.base)(UPLOAD)).toEqual({ ok: true, value: { sent: 100, resumed_from: 900 } });
    expect(server.held.get(SHA)?.equals(BYTES)).toBe(true);
  });

  it('follows the server when the two disagree about the offset, and not for ever', async () => {
    let quarrels = 2;
    const server = await tus((request, response) => {
      if (request.method !== 'PATCH' || quarrels <= 0) return false;
      quarrels -= 1;
      response.writeHead(409).end();
      return true;
    });
    expect((await uploader(server.base)(UPLOAD)).ok).toBe(true);
    server.held.clear();
    quarrels = Infinity;
    expect(failureOf(await uploader(server.base)(UPLOAD))).toMatchObject({ code: 'server_error', retryable: true });
  });

  it('begins again when the server forgot the upload in between', async () => {
    let wiped = false;
    const server = await tus((request, response, held) => {
      if (wiped || request.method !== 'PATCH' || request.headers['upload-offset'] !== '600') return false;
      wiped = true;
      held.clear();
      response.writeHead(404).end();
      return true;
    });
    expect((await uploader(server.base)(UPLOAD)).ok).toBe(true);
    expect(server.held.get(SHA)?.equals(BYTES)).toBe(true);
  });

  it('SYNC-7 a fresh upload throws away what the server has', async () => {
    const server = await tus();
    server.held.set(SHA, Buffer.alloc(1000));
    server.sizes.set(SHA, 1000);
    expect((await uploader(server.base)({ ...UPLOAD, fresh: true })).ok).toBe(true);
    expect(server.held.get(SHA)?.equals(BYTES)).toBe(true);
  });

  it('SYNC-7 a hash that the server finds wrong comes back as such', async () => {
    const server = await tus((request, response) => {
      if (request.method !== 'PATCH') return false;
      response
        .writeHead(422, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { code: 'hash_mismatch', message: 'other bytes' } }));
      return true;
    });
    expect(failureOf(await uploader(server.base)(UPLOAD))?.code).toBe('hash_mismatch');
    server.held.set(SHA, BYTES);
    server.sizes.set(SHA, 2000);
    expect(failureOf(await uploader(server.base)(UPLOAD))?.code).toBe('hash_mismatch');
  });

  it('a file that is gone or torn here is named, and nothing is asked of the server', async () => {
    const server = await tus();
    expect(failureOf(await uploader(server.base, null)(UPLOAD))).toMatchObject({
      code: 'blob_missing',
      subject: 'a.flac',
    });
    expect(failureOf(await uploader(server.base, Buffer.alloc(3))(UPLOAD))?.code).toBe('blob_missing');
    expect(server.seen).toEqual([]);
  });

  it('can be cancelled', async () => {
    const stop = new AbortController();
    const server = await tus((request) => {
      if (request.method !== 'PATCH') return false;
      stop.abort();
      return true;
    });
    expect(failureOf(await uploader(server.base)({ ...UPLOAD, signal: stop.signal }))?.code).toBe('cancelled');
  });
});
