import type { Context } from 'hono';
import { route, type Route } from '#server/api/route.ts';
import type { CatalogDeps, Env } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { readRange, streamOf } from '#server/http/stream.ts';
import { existing } from '../store/rows.ts';

/** GET /v1/catalog/tracks/:id/audio: the published file, whole or in part. Also by a signed URL. */
export function audioRoutes(deps: AudioDeps): Route[] {
  return [
    route('GET /v1/catalog/tracks/:id/audio', {
      scope: 'ReadCatalog',
      tag: 'Catalog',
      summary: 'The published audio of a track, whole or in part.',
      headers: { Range: 'One range of bytes.', 'If-None-Match': 'The ETag that is here already.' },
      replies: {
        200: { description: 'The whole file.', type: 'audio/ogg' },
        206: { description: 'The part that was asked for.', type: 'audio/ogg' },
        304: { description: 'The file is as it was.' },
      },
      failures: [404, 416],
      answer: (c) => audio(c, deps, c.req.param('id')),
    }),
  ];
}

type AudioDeps = Pick<CatalogDeps, 'store' | 'blobs' | 'log'>;

async function audio(c: Context<Env>, { store, blobs, log }: AudioDeps, id: string): Promise<Response> {
  const track = await existing(store.db, 'tracks', id);
  const path = track.output_file_path;
  if (path === null) throw new HttpError('not_found', `"${track.title}" has no audio yet.`);
  const size = await blobs.size(path);
  if (size === null) {
    log.error('a published file is gone', { track_id: id, path });
    throw new HttpError('not_found', `The audio of "${track.title}" is gone from the server's media directory.`);
  }
  const etag = `"${track.audio_sha256 ?? id}"`;
  c.header('Accept-Ranges', 'bytes');
  c.header('ETag', etag);
  c.header('Content-Type', 'audio/ogg');
  // The audio of a track may be replaced; the ETag says so at the price of one question.
  c.header('Cache-Control', 'private, no-cache');
  if (sameTag(c.req.header('if-none-match'), etag)) return c.body(null, 304);

  const stale = c.req.header('if-range') !== undefined && c.req.header('if-range') !== etag;
  const range = readRange(stale ? undefined : c.req.header('range'), size);
  if (range === 'unsatisfiable') {
    throw new HttpError('invalid', `The file has ${size} bytes.`, {
      status: 416,
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size } : range;
  c.header('Content-Length', String(end - start));
  if (range !== 'whole') c.header('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  const status = range === 'whole' ? 200 : 206;
  if (c.req.method === 'HEAD') return c.body(null, status);
  return c.body(streamOf(blobs.read(path, start, end)), status);
}

function sameTag(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
