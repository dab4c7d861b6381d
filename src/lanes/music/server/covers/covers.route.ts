/** The covers of albums: seen, replaced, had back. */
import type { Context } from 'hono';
import { joinBytes } from '#core/ingest/bytes.ts';
import { AlbumCoversSchema, ChooseCoverSchema, MOST_COVER } from '#lanes/music/core/catalog.ts';
import { json, route, type Route } from '#server/api/route.ts';
import type { Env } from '#server/deps.ts';
import { bodyChunks, readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { streamOf } from '#server/http/stream.ts';
import { lookToServe, watched, type ServedDeps } from '#server/storage/served-file.ts';
import { chooseCover, listCovers, pictureOf, setCover } from './covers.ts';

const EDIT = { scope: 'EditCatalog', tag: 'Catalog', idempotent: true } as const;
const NOW = { 200: json(AlbumCoversSchema, 'The covers that the album has and had now.') };

/** /v1/catalog/albums/:id/cover and /v1/catalog/covers/:sha256. */
export function coverRoutes(deps: ServedDeps): Route[] {
  const { db } = deps.store;
  return [
    route('GET /v1/catalog/albums/:id/covers', {
      scope: 'ReadCatalog',
      tag: 'Catalog',
      summary: 'The cover that an album has, and those that it had.',
      replies: { 200: json(AlbumCoversSchema, 'The present one, and the former ones, newest first.') },
      failures: [404],
      answer: async (c) => c.json(await listCovers(db, c.req.param('id'))),
    }),
    route('GET /v1/catalog/covers/:sha256', {
      scope: 'ReadCatalog',
      tag: 'Catalog',
      summary: 'A picture that an album has or had.',
      description: 'A file that is not what was given, by its size or its SHA-256, is 500 with its name.',
      headers: { 'If-None-Match': 'The ETag that is here already.' },
      replies: {
        200: { description: 'A JPEG, PNG, GIF or WebP picture.', type: 'image/*' },
        304: { description: 'It is here already.' },
      },
      failures: [404, 500],
      answer: (c) => picture(c, deps, c.req.param('sha256')),
    }),
    route('PUT /v1/catalog/albums/:id/cover', {
      ...EDIT,
      summary: 'Give an album a picture as its cover; the one that it had is kept.',
      body: { type: 'image/*', description: `A JPEG, PNG, GIF or WebP picture of at most ${MOST_COVER} bytes.` },
      maxBody: MOST_COVER,
      replies: NOW,
      failures: [404, 415, 507],
      async answer(c) {
        const parts: Uint8Array[] = [];
        for await (const chunk of bodyChunks(c)) parts.push(chunk);
        const given = pictureOf(joinBytes(parts));
        if (given === null)
          throw new HttpError('invalid', 'This is not a JPEG, PNG, GIF or WebP picture.', { status: 415 });
        const id = c.req.param('id');
        await setCover(deps, id, given, { by: c.var.principal.user_id, source: 'person' });
        return c.json(await listCovers(db, id));
      },
    }),
    route('POST /v1/catalog/albums/:id/cover', {
      ...EDIT,
      summary: 'Make a picture that the album had its cover again, or leave it without one.',
      body: ChooseCoverSchema,
      replies: NOW,
      failures: [404],
      async answer(c) {
        const { value } = await readBody(c, ChooseCoverSchema);
        const id = c.req.param('id');
        await chooseCover(deps, c.var.principal.user_id, id, value.sha256);
        return c.json(await listCovers(db, id));
      },
    }),
  ];
}

async function picture(c: Context<Env>, deps: ServedDeps, sha256: string): Promise<Response> {
  const row = await deps.store.db
    .selectFrom('album_covers')
    .selectAll()
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst();
  if (!row) throw new HttpError('not_found', `No album has or had the cover "${sha256}".`);
  const checked = await lookToServe(deps, { root: 'media', path: row.path, sha256, size: Number(row.size) });
  if (checked.wrong === 'gone') throw new HttpError('not_found', `The picture ${row.path} is gone from the server.`);
  if (checked.wrong !== null)
    throw new HttpError('file_damaged', `The picture ${row.path} is damaged on the server.`, { status: 500 });
  const { file, state } = checked;
  const etag = `"${sha256}"`;
  c.header('ETag', etag);
  c.header('Content-Type', row.mime);
  c.header('Cache-Control', 'private, max-age=31536000, immutable');
  if (c.req.header('if-none-match') === etag) return c.body(null, 304);
  c.header('Content-Length', String(state.size));
  if (c.req.method === 'HEAD') return c.body(null, 200);
  return c.body(streamOf(watched(deps, file, state, { start: 0, end: state.size })), 200);
}
