import { Server as TusServer } from '@tus/server';
import * as v from 'valibot';
import { failure } from '#core/errors.ts';
import { Sha256 } from '#core/sync/fields.ts';
import { route, type Route } from '../api/route.ts';
import { codeOf, errorBody, HttpError } from '../http/http-error.ts';
import { chunksOf, paced, streamOf, watched } from '../http/stream.ts';
import { publishedFile, type ServerDeps } from '../lane-server.ts';
import { foundUpload, beginWithin, leaveToOwner, ownUpload } from '../work/unfinished.ts';

const PATH = '/v1/uploads';
const TUS = { scope: 'Work', tag: 'Uploads', takesFiles: true } as const;
const TOO_SLOW = 'What came is kept; send the rest over a better line.';

type UploadDeps = Pick<
  ServerDeps,
  'store' | 'blobs' | 'uploads' | 'clock' | 'log' | 'lanes' | 'maxUploadBytes' | 'uploadLimits'
>;

/**
 * /v1/uploads: the tus protocol 1.0 (https://tus.io/protocols/resumable-upload), with the content's SHA-256 as the
 * upload's name. What is here whole is found again by it whoever asks, half a file by who began it; the protocol itself
 * is @tus/server's.
 */
export function uploadRoutes(deps: UploadDeps): Route[] {
  const { locks } = deps.store;
  const tus = new TusServer({
    path: PATH,
    datastore: deps.uploads,
    maxSize: deps.maxUploadBytes,
    relativeLocation: true,
    // Answered by http/cors.ts.
    allowedOrigins: () => false,
    namingFunction: (_request, metadata) => metadata?.['sha256'] ?? '',
  });
  /** Hands a request with bytes on, which have to come with some speed. `metadata` takes the place of the client's. */
  async function receive(request: Request, metadata?: string): Promise<Response> {
    const headers = new Headers(request.headers);
    if (metadata !== undefined) headers.set('Upload-Metadata', metadata);
    const { method, url, body } = request;
    if (!body) return forward(await tus.handleWeb(new Request(url, { method, headers })));
    const bytes = watched(paced(chunksOf(body), deps.uploadLimits.bytesPerSecond, TOO_SLOW));
    const init = { method, headers, body: streamOf(bytes), duplex: 'half' };
    const answer = await tus.handleWeb(new Request(url, init));
    if (bytes.failure instanceof HttpError) throw bytes.failure;
    return forward(answer);
  }
  return [
    route('POST /v1/uploads', {
      ...TUS,
      summary: 'Begin an upload, or find one that is here already.',
      headers: {
        'Upload-Length': 'Bytes of the file.',
        'Upload-Metadata': '`sha256` and, after a blank, the base64 of the hash in hex.',
      },
      replies: { 201: { description: 'The address is in Location, what is here already in Upload-Offset.' } },
      failures: [408, 412, 413, 503, 507],
      idempotent: true,
      async answer(c) {
        const { sha256, size } = announced(c.req.header('upload-metadata'), c.req.header('upload-length'));
        if (size > deps.maxUploadBytes)
          throw new HttpError(
            'too_large',
            `An upload may have ${deps.maxUploadBytes} bytes here; this one has ${size}.`,
          );
        const { user_id } = c.var.principal;
        return locks.run(`upload ${sha256}`, async () => {
          await leaveToOwner(deps, user_id, sha256);
          const offset = await foundUpload(deps, sha256, size);
          if (offset === null) {
            const begin = () => receive(c.req.raw, metadataOf({ sha256, user_id }));
            return beginWithin(deps, { user_id, size }, begin);
          }
          return c.body(null, 201, {
            'Tus-Resumable': '1.0.0',
            Location: `${PATH}/${sha256}`,
            'Upload-Offset': String(offset),
          });
        });
      },
    }),
    // Hono answers HEAD through GET; there is nothing else to get here.
    route('HEAD /v1/uploads/:sha256', {
      ...TUS,
      summary: 'How much of an upload is here.',
      replies: { 200: { description: 'Upload-Offset and Upload-Length.' } },
      failures: [404, 410, 412],
      async answer(c) {
        if (c.req.method !== 'HEAD') throw new HttpError('not_found', 'An upload cannot be read back.');
        const sha256 = named(c.req.param('sha256'));
        const upload = await ownUpload(deps, c.var.principal.user_id, sha256);
        const placed = upload ? null : await publishedFile(deps, sha256);
        if (!placed) return forward(await tus.handleWeb(c.req.raw));
        const size = String(placed.size);
        return c.body(null, 200, {
          'Tus-Resumable': '1.0.0',
          'Cache-Control': 'no-store',
          'Upload-Offset': size,
          'Upload-Length': size,
        });
      },
    }),
    route('PATCH /v1/uploads/:sha256', {
      ...TUS,
      summary: 'Send the bytes from an offset on.',
      headers: { 'Upload-Offset': 'Where these bytes belong; elsewhere is 409.' },
      body: { type: 'application/offset+octet-stream', description: 'The bytes.' },
      maxBody: null,
      replies: { 204: { description: 'Upload-Offset says how much is here now.' } },
      failures: [404, 409, 410, 412, 413, 503, 507],
      idempotent: false,
      async answer(c) {
        await ownUpload(deps, c.var.principal.user_id, named(c.req.param('sha256')));
        return receive(c.req.raw);
      },
    }),
    route('DELETE /v1/uploads/:sha256', {
      ...TUS,
      summary: 'Throw away what was uploaded.',
      replies: { 204: { description: 'It is gone.' } },
      failures: [404, 410, 412],
      idempotent: true,
      async answer(c) {
        const sha256 = named(c.req.param('sha256'));
        return locks.run(`upload ${sha256}`, async () => {
          await ownUpload(deps, c.var.principal.user_id, sha256);
          return forward(await tus.handleWeb(c.req.raw));
        });
      },
    }),
  ];
}

function named(text: string): string {
  if (!v.is(Sha256, text)) throw new HttpError('not_found', 'An upload is named by the SHA-256 of its content.');
  return text;
}

/** `Upload-Metadata: sha256 <base64>` and `Upload-Length`. */
function announced(metadata: string | undefined, length: string | undefined): { sha256: string; size: number } {
  const pair = metadata
    ?.split(',')
    .map((part) => part.trim().split(' '))
    .find(([key]) => key === 'sha256');
  const sha256 = Buffer.from(pair?.[1] ?? '', 'base64').toString('utf8');
  if (!v.is(Sha256, sha256))
    throw new HttpError('invalid', 'Upload-Metadata must carry "sha256", 64 lower-case hex digits.');
  if (!/^\d{1,15}$/.test(length ?? '')) throw new HttpError('invalid', 'Upload-Length must say the size in bytes.');
  return { sha256, size: Number(length) };
}

function metadataOf(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** The library's answer without its CORS headers and what was noted with the upload, its errors in our form. */
async function forward(answer: Response): Promise<Response> {
  const headers = new Headers(answer.headers);
  for (const name of [...headers.keys()])
    if (name.startsWith('access-control-') || name === 'upload-metadata') headers.delete(name);
  if (answer.status < 400) return new Response(answer.body, { status: answer.status, headers });
  const text = (await answer.text()).trim();
  // 403 is the protocol's word for a missing header here; for a client it would mean a missing permission.
  const status = answer.status === 403 ? 400 : answer.status;
  headers.set('Content-Type', 'application/json');
  headers.delete('Content-Length');
  if (status === 503) headers.set('Retry-After', '30');
  const body = errorBody(
    failure(
      status === 507 ? 'storage_full' : status === 503 ? 'storage_failed' : codeOf(status),
      text === '' ? `The upload was refused (${status}).` : `${text.replace(/\.$/, '')}.`,
    ),
  );
  return new Response(JSON.stringify(body), { status, headers });
}
