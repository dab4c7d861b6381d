import type { Context } from 'hono';
import * as v from 'valibot';
import { listOf } from '#core/sync/fields.ts';
import {
  AlbumAnswerSchema,
  AlbumItemSchema,
  ArtistAnswerSchema,
  SearchAnswerSchema,
  TrackAnswerSchema,
} from '#lanes/music/core/protocol/catalog.ts';
import { json, paged, route, type Route } from '#server/api/route.ts';
import type { CatalogDeps, Env } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { pageOf, readLimit, readPlace, sortsAfter } from '#server/http/page.ts';
import { tagged } from '#server/http/editing.ts';
import { MAX_QUESTION } from '#server/search/question.ts';
import { findRow } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';
import { existing, readAlbum, toAlbum, toArtist, toTrack } from '../store/rows.ts';
import { search } from './search.ts';

const READ = { scope: 'ReadCatalog', tag: 'Catalog' } as const;

/** /v1/catalog: search, browse, artists, albums, tracks. */
export function catalogReadRoutes({ store }: Pick<CatalogDeps, 'store'>): Route[] {
  return [
    route('GET /v1/catalog/search', {
      ...READ,
      summary: 'Search artists, albums and tracks; typing errors are forgiven.',
      query: {
        q: { description: 'What is looked for.', schema: v.string() },
        limit: { description: 'Of each kind at most, 1 to 100; 20 when absent.', schema: v.number() },
      },
      replies: { 200: json(SearchAnswerSchema, 'The best of each kind, best first.') },
      async answer(c) {
        const question = (c.req.query('q') ?? '').slice(0, MAX_QUESTION);
        return c.json(await search(store.db, question, readLimit(c, 20, 100)));
      },
    }),
    route('GET /v1/catalog/albums', {
      ...READ,
      summary: 'Albums by artist and title, each with how many of its tracks have audio.',
      query: {
        ...paged(50, 500),
        missing: { description: '`true`: those alone that lack some audio.', schema: v.boolean() },
      },
      replies: { 200: json(listOf(AlbumItemSchema), 'A page of albums.') },
      answer: async (c) => c.json(await albums(c, store.db)),
    }),
    route('GET /v1/catalog/albums/:id', {
      ...READ,
      summary: 'An album with its tracks.',
      replies: { 200: json(AlbumAnswerSchema, 'The album.') },
      failures: [404],
      async answer(c) {
        const id = c.req.param('id');
        const album = await readAlbum(store.db, id);
        if (!album) throw new HttpError('not_found', `There is no album "${id}".`);
        return tagged(c, album);
      },
    }),
    route('GET /v1/catalog/artists/:id', {
      ...READ,
      summary: 'An artist with their albums.',
      replies: { 200: json(ArtistAnswerSchema, 'The artist.') },
      failures: [404],
      async answer(c) {
        const id = c.req.param('id');
        const row = await existing(store.db, 'artists', id);
        const list = store.db.selectFrom('albums').selectAll().where('artist_id', '=', id);
        const rows = await list
          .orderBy('year', (year) => year.asc().nullsFirst())
          .orderBy('sort_key')
          .orderBy('id')
          .execute();
        return tagged(c, { ...toArtist(row), albums: rows.map(toAlbum), version: row.version });
      },
    }),
    route('GET /v1/catalog/tracks/:id', {
      ...READ,
      summary: 'A track, with its album and whether it has audio.',
      replies: { 200: json(TrackAnswerSchema, 'The track.') },
      failures: [404],
      async answer(c) {
        const row = await existing(store.db, 'tracks', c.req.param('id'));
        const album = await findRow(store.db, 'albums', row.album_id);
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
    }),
  ];
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
  if (after) query = query.where(sortsAfter(after, 'albums'));
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
