import type { Context } from 'hono';
import * as v from 'valibot';
import {
  AlbumAnswerSchema,
  AlbumItemSchema,
  ArtistAnswerSchema,
  listOf,
  SearchAnswerSchema,
  TrackAnswerSchema,
} from '#core/sync/answers.ts';
import { json, paged } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { readAlbum } from '../catalog/read-album.ts';
import { HttpError } from '../http/http-error.ts';
import { pageOf, readLimit, readPlace } from '../http/page.ts';
import { search } from '../search/search.ts';
import { toAlbum, toArtist, toTrack } from '../store/records.ts';
import type { Reader } from '../store/schema.ts';

/** Longest question that search takes, characters. */
export const MAX_QUESTION = 500;

/** /v1/catalog: search, browse, artists, albums, tracks. */
export function catalogReadRoutes({ store }: Pick<CatalogDeps, 'store'>): Route[] {
  return [
    route(
      {
        method: 'GET',
        path: '/v1/catalog/search',
        scope: 'ReadCatalog',
        tag: 'Catalog',
        summary: 'Search artists, albums and tracks; typing errors are forgiven.',
        query: {
          q: { description: 'What is looked for.', schema: v.string() },
          limit: { description: 'Of each kind at most, 1 to 100; 20 when absent.', schema: v.number() },
        },
        replies: { 200: json(SearchAnswerSchema, 'The best of each kind, best first.') },
        idempotent: true,
      },
      async (c) => {
        const question = (c.req.query('q') ?? '').slice(0, MAX_QUESTION);
        return c.json(await search(store.db, question, readLimit(c, 20, 100)));
      },
    ),
    route(
      {
        method: 'GET',
        path: '/v1/catalog/albums',
        scope: 'ReadCatalog',
        tag: 'Catalog',
        summary: 'Albums by artist and title, each with how many of its tracks have audio.',
        query: {
          ...paged(50, 500),
          missing: { description: '`true`: those alone that lack some audio.', schema: v.boolean() },
        },
        replies: { 200: json(listOf(AlbumItemSchema), 'A page of albums.') },
        idempotent: true,
      },
      async (c) => c.json(await albums(c, store.db)),
    ),
    route(
      {
        method: 'GET',
        path: '/v1/catalog/albums/:id',
        scope: 'ReadCatalog',
        tag: 'Catalog',
        summary: 'An album with its tracks.',
        replies: { 200: json(AlbumAnswerSchema, 'The album.') },
        failures: [404],
        idempotent: true,
      },
      async (c) => {
        const id = c.req.param('id');
        const album = await readAlbum(store.db, id);
        if (!album) throw new HttpError('not_found', `There is no album "${id}".`);
        return tagged(c, album);
      },
    ),
    route(
      {
        method: 'GET',
        path: '/v1/catalog/artists/:id',
        scope: 'ReadCatalog',
        tag: 'Catalog',
        summary: 'An artist with their albums.',
        replies: { 200: json(ArtistAnswerSchema, 'The artist.') },
        failures: [404],
        idempotent: true,
      },
      async (c) => {
        const id = c.req.param('id');
        const row = await store.db.selectFrom('artists').selectAll().where('id', '=', id).executeTakeFirst();
        if (!row) throw new HttpError('not_found', `There is no artist "${id}".`);
        const list = store.db.selectFrom('albums').selectAll().where('artist_id', '=', id);
        const rows = await list
          .orderBy('year', (year) => year.asc().nullsFirst())
          .orderBy('sort_key')
          .orderBy('id')
          .execute();
        return tagged(c, { ...toArtist(row), albums: rows.map(toAlbum), version: row.version });
      },
    ),
    route(
      {
        method: 'GET',
        path: '/v1/catalog/tracks/:id',
        scope: 'ReadCatalog',
        tag: 'Catalog',
        summary: 'A track, with its album and whether it has audio.',
        replies: { 200: json(TrackAnswerSchema, 'The track.') },
        failures: [404],
        idempotent: true,
      },
      async (c) => {
        const id = c.req.param('id');
        const row = await store.db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();
        if (!row) throw new HttpError('not_found', `There is no track "${id}".`);
        const album = await store.db
          .selectFrom('albums')
          .select(['title', 'year'])
          .where('id', '=', row.album_id)
          .executeTakeFirst();
        const { output_file_path, audio_duration_ms, version } = row;
        return tagged(c, {
          ...toTrack(row),
          album: album?.title ?? null,
          year: album?.year ?? null,
          output_file_path,
          audio_duration_ms,
          version,
        });
      },
    ),
  ];
}

/** An answer with its row's version as ETag, for `If-Match`. */
export function tagged<T extends { version: number }>(c: Context<Env>, body: T): Response {
  c.header('ETag', `"${body.version}"`);
  return c.json(body);
}

/** Albums by artist and title, each with how many of its tracks have audio; `missing=true`: those that lack some. */
async function albums(c: Context<Env>, db: Reader): Promise<object> {
  const limit = readLimit(c, 50, 500);
  const after = readPlace(c);
  const missing = c.req.query('missing') === 'true' || c.req.query('missing') === '1';
  let query = db
    .selectFrom('albums')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('tracks')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('tracks.album_id', '=', 'albums.id')
        .where('tracks.availability', '=', 'available')
        .as('available_count'),
    );
  if (missing) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('tracks')
          .select('tracks.id')
          .whereRef('tracks.album_id', '=', 'albums.id')
          .where('tracks.availability', '=', 'missing'),
      ),
    );
  }
  if (after) {
    const [key, id] = [String(after[0]), after[1]];
    query = query.where((eb) =>
      eb.or([eb('sort_key', '>', key), eb.and([eb('sort_key', '=', key), eb('albums.id', '>', id)])]),
    );
  }
  const rows = await query
    .orderBy('sort_key')
    .orderBy('albums.id')
    .limit(limit + 1)
    .execute();
  return pageOf(
    rows,
    limit,
    (row) => [row.sort_key, row.id],
    (row) => ({ ...toAlbum(row), available_count: Number(row.available_count ?? 0) }),
  );
}
