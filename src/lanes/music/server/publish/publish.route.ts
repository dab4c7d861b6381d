import { CommitRequestSchema, CommitResponseSchema } from '#core/sync/protocol.ts';
import { RestoreSchema, TrackVersionsSchema } from '#lanes/music/core/catalog.ts';
import { json, route, type Route } from '#server/api/route.ts';
import type { CatalogDeps, Env } from '#server/deps.ts';
import { readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { keyed, send } from '#server/http/mutate.ts';
import { commit } from './commit.ts';
import { listVersions, restore, unpublish } from './versions.ts';
import type { Context } from 'hono';
import { readRange, streamOf } from '#server/http/stream.ts';
import { existing } from '../store/rows.ts';

const TRACK = { scope: 'EditCatalog', tag: 'Catalog', idempotent: true } as const;
const NOW = { 200: json(TrackVersionsSchema, 'What the track has and had now.') };

/** POST /v1/ingestion/commits; /v1/catalog/tracks/:id: the audio it has and had, and the way back. */
export function publishRoutes(deps: Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log' | 'events'>): Route[] {
  const { store, events } = deps;
  return [
    route('POST /v1/ingestion/commits', {
      scope: 'Work',
      tag: 'Ingestion',
      summary: 'Publish an uploaded Ogg Vorbis file as the audio of a track.',
      description: 'The file is hashed and read anew: nothing that the request says about it is believed.',
      headers: { 'Idempotency-Key': 'Required: the same commit sent again is answered as before.' },
      body: CommitRequestSchema,
      replies: { 200: json(CommitResponseSchema, 'The track has this audio now.') },
      failures: [404, 409, 422, 503, 507],
      idempotent: 'key',
      takesFiles: true,
      async answer(c) {
        const { text, value } = await readBody(c, CommitRequestSchema);
        const request = keyed(c, text);
        if (request.key === null) throw new HttpError('invalid', 'A commit needs the header Idempotency-Key.');
        const { answer, replayed } = await commit(deps, request, value);
        if (!replayed) {
          events.emit({ type: 'CatalogChanged' });
          events.emit({ type: 'IngestionChanged' });
        }
        return send(c, answer, replayed);
      },
    }),
    route('GET /v1/catalog/tracks/:id/versions', {
      ...TRACK,
      scope: 'ReadCatalog',
      summary: 'The audio that a track has and had, and who replaced or unpublished it.',
      replies: { 200: json(TrackVersionsSchema, 'The present one, and the former ones, newest first.') },
      failures: [404],
      answer: async (c) => c.json(await listVersions(store.db, c.req.param('id'))),
    }),
    route('POST /v1/catalog/tracks/:id/unpublish', {
      ...TRACK,
      summary: 'Take the audio of a track out of the catalog; the file is kept.',
      replies: NOW,
      failures: [404],
      async answer(c) {
        const answer = await unpublish(deps, c.var.principal, c.req.param('id'));
        events.emit({ type: 'CatalogChanged' });
        return c.json(answer);
      },
    }),
    route('POST /v1/catalog/tracks/:id/restore', {
      ...TRACK,
      summary: 'Make former audio of a track its present one again.',
      description: 'What is there now is kept in its place. The file is hashed and read anew.',
      body: RestoreSchema,
      replies: NOW,
      failures: [404, 409, 422, 507],
      async answer(c) {
        const { value } = await readBody(c, RestoreSchema);
        const answer = await restore(deps, c.var.principal, c.req.param('id'), value.sha256);
        events.emit({ type: 'CatalogChanged' });
        return c.json(answer);
      },
    }),
  ];
}

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
