import type { Context } from 'hono';
import * as v from 'valibot';
import { listOf } from '#core/sync/fields.ts';
import {
  AlbumAnswerSchema,
  AlbumItemSchema,
  ArtistAnswerSchema,
  SearchAnswerSchema,
  TrackAnswerSchema,
  type Album,
  type Artist,
  type Track,
  AlbumPatchSchema,
  ArtistPatchSchema,
  NewAlbumSchema,
  NewArtistSchema,
  NewTrackSchema,
  TrackPatchSchema,
  MOST_LISTED,
} from '#lanes/music/core/catalog.ts';
import { json, paged, route, type Route } from '#server/api/route.ts';
import type { CatalogDeps, Env } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { readLimit, readPage } from '#server/http/page.ts';
import { sendKept } from '#server/http/kept-answers.ts';
import { tagged, CREATE, editing, PATCH, type EditDeps } from '#server/http/editing.ts';
import { MAX_QUESTION } from '#core/text/question.ts';
import { ask } from '#server/search/question.ts';
import type { FoundIds, Searching } from '#server/search/searching.ts';
import { findRows } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';
import { keptReads } from './kept-reads.ts';
import { existing, toAlbum, toArtist, toTrack } from '../store/rows.ts';
import { createAlbum, patchAlbum, createTrack, patchTrack, createArtist, patchArtist } from './edit-album.ts';

/** A track as search answers it: with the title of its album. */
interface FoundTrack extends Track {
  album: string;
}

interface SearchAnswer {
  artists: Artist[];
  albums: Album[];
  tracks: FoundTrack[];
}

/** At most `limit` of each, best first. An empty question finds nothing. */
export async function search(db: Reader, question: string, limit: number): Promise<SearchAnswer> {
  const asked = await ask(db, question);
  const artists = await findRows(db, 'artists', await asked.candidates('artist'));
  const albums = await findRows(db, 'albums', await asked.candidates('album'));
  const tracks = await foundTracks(db, await asked.candidates('track'));
  const fields = (title: string, artist: string, more: string) => [
    { text: title, weight: 1 },
    { text: artist, weight: 0.95 },
    { text: more, weight: 0.9 },
  ];
  return {
    artists: asked.rank([...artists.values()].map(toArtist), ({ name }) => [{ text: name, weight: 1 }], limit),
    albums: asked.rank(
      [...albums.values()].map(toAlbum),
      ({ title, artist, year }) => fields(title, artist, String(year ?? '')),
      limit,
    ),
    tracks: asked.rank(tracks, ({ title, artist, album }) => fields(title, artist, album), limit),
  };
}

/** The same as a process found it; what is gone since is left out. */
async function searchBy(db: Reader, found: FoundIds): Promise<SearchAnswer> {
  const { artists = [], albums = [], tracks = [] } = found;
  const inOrder = <R, T>(ids: readonly string[], rows: ReadonlyMap<string, R>, to: (row: R) => T): T[] =>
    ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [to(row)];
    });
  const [artistRows, albumRows, trackList] = await Promise.all([
    findRows(db, 'artists', artists),
    findRows(db, 'albums', albums),
    foundTracks(db, tracks),
  ]);
  const byId = new Map(trackList.map((track) => [track.id, track]));
  return {
    artists: inOrder(artists, artistRows, toArtist),
    albums: inOrder(albums, albumRows, toAlbum),
    tracks: inOrder(tracks, byId, (track) => track),
  };
}

async function foundTracks(db: Reader, ids: readonly string[]): Promise<FoundTrack[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('tracks')
    .innerJoin('albums', 'albums.id', 'tracks.album_id')
    .selectAll('tracks')
    .select('albums.title as album')
    .where('tracks.id', 'in', ids)
    .execute();
  return rows.map((row) => ({ ...toTrack(row), album: row.album }));
}

const READ = { scope: 'ReadCatalog', tag: 'Catalog' } as const;
const CONDITIONAL = { headers: { 'If-None-Match': 'The ETag that was read: 304 where it is the same still.' } };
const UNCHANGED = { description: 'It is as it was.' };

/** /v1/catalog: search, browse, artists, albums, tracks. */
export function catalogReadRoutes({ store }: Pick<CatalogDeps, 'store'>, searching: Searching | null = null): Route[] {
  const kept = keptReads(store.db);
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
        const limit = readLimit(c, 20, 100);
        const found = await searching?.ask(question, limit);
        return c.json(found ? await searchBy(store.db, found) : await search(store.db, question, limit));
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
      ...CONDITIONAL,
      replies: { 200: json(AlbumAnswerSchema, 'The album.'), 304: UNCHANGED },
      failures: [404],
      async answer(c) {
        const id = c.req.param('id');
        const album = await kept.album(id);
        if (album === null) throw new HttpError('not_found', `There is no album "${id}".`);
        return sendKept(c, album);
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
          .limit(MOST_LISTED)
          .execute();
        return tagged(c, { ...toArtist(row), albums: rows.map(toAlbum), version: row.version });
      },
    }),
    route('GET /v1/catalog/tracks/:id', {
      ...READ,
      summary: 'A track, with its album and whether it has audio.',
      ...CONDITIONAL,
      replies: { 200: json(TrackAnswerSchema, 'The track.'), 304: UNCHANGED },
      failures: [404],
      async answer(c) {
        const id = c.req.param('id');
        const track = await kept.track(id);
        if (track === null) throw new HttpError('not_found', `There is no track "${id}".`);
        return sendKept(c, track);
      },
    }),
  ];
}

/** Albums by artist and title, each with how many of its tracks have audio; `missing=true`: those that lack some. */
async function albums(c: Context<Env>, db: Reader): Promise<object> {
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
  const order = { usual: 50, most: 500, by: 'sort_key', id: 'albums.id' } as const;
  const { page, next_cursor } = await readPage(c, query, order);
  const items = page.map((row) => ({ ...toAlbum(row), available_count: Number(row.available_count ?? 0) }));
  return { items, next_cursor };
}

/** Bytes of an album with its tracks. */
const MAX_ALBUM = 8 * 1024 * 1024;

/** /v1/catalog: what the editor writes. PATCH honours `If-Match` with the row's version. */
export function catalogEditRoutes(deps: EditDeps): Route[] {
  const { ids } = deps;
  const { edited } = editing(deps, ['tracks']);
  return [
    route('POST /v1/catalog/artists', {
      ...CREATE,
      summary: 'Create an artist.',
      body: NewArtistSchema,
      replies: { 201: json(ArtistAnswerSchema, 'The artist.') },
      answer: (c) => edited(c, 201, NewArtistSchema, 'artist.created', (tx, body) => createArtist(tx, ids, body)),
    }),
    route('PATCH /v1/catalog/artists/:id', {
      ...PATCH,
      summary: 'Change fields of an artist.',
      body: ArtistPatchSchema,
      replies: { 200: json(ArtistAnswerSchema, 'The artist as it is now.') },
      answer: (c) =>
        edited(c, 200, ArtistPatchSchema, 'artist.changed', (tx, body) =>
          patchArtist(tx, c.req.param('id'), body, c.req.header('if-match')),
        ),
    }),
    route('POST /v1/catalog/albums', {
      ...CREATE,
      summary: 'Create an album, with its tracks or without, all or nothing.',
      body: NewAlbumSchema,
      maxBody: MAX_ALBUM,
      replies: { 201: json(AlbumAnswerSchema, 'The album.') },
      answer: (c) => edited(c, 201, NewAlbumSchema, 'album.created', (tx, body) => createAlbum(tx, ids, body)),
    }),
    route('PATCH /v1/catalog/albums/:id', {
      ...PATCH,
      summary: 'Change fields of an album.',
      body: AlbumPatchSchema,
      replies: { 200: json(AlbumAnswerSchema, 'The album as it is now.') },
      answer: (c) =>
        edited(c, 200, AlbumPatchSchema, 'album.changed', (tx, body) =>
          patchAlbum(tx, ids, c.req.param('id'), body, c.req.header('if-match')),
        ),
    }),
    route('POST /v1/catalog/tracks', {
      ...CREATE,
      summary: 'Create a track of an album.',
      body: NewTrackSchema,
      replies: { 201: json(TrackAnswerSchema, 'The track.') },
      answer: (c) => edited(c, 201, NewTrackSchema, 'track.created', (tx, body) => createTrack(tx, ids, body)),
    }),
    route('PATCH /v1/catalog/tracks/:id', {
      ...PATCH,
      summary: 'Change fields of a track.',
      body: TrackPatchSchema,
      replies: { 200: json(TrackAnswerSchema, 'The track as it is now.') },
      answer: (c) =>
        edited(c, 200, TrackPatchSchema, 'track.changed', (tx, body) =>
          patchTrack(tx, ids, c.req.param('id'), body, c.req.header('if-match')),
        ),
    }),
  ];
}
