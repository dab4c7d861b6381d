import type { Context } from 'hono';
import * as v from 'valibot';
import { listOf } from '#core/sync/fields.ts';
import {
  EpisodeBodySchema,
  EpisodeNumberSchema,
  NewShowSchema,
  SeasonBodySchema,
  SeasonNumberSchema,
  ShowAnswerSchema,
  ShowHeadSchema,
  ShowPatchSchema,
} from '#lanes/video/core/show-catalog.ts';
import { json, paged, route, type Route } from '#server/api/route.ts';
import type { Env } from '#server/deps.ts';
import { parse } from '#server/http/body.ts';
import { CREATE, DELETE, editing, PATCH, type EditDeps, tagged } from '#server/http/editing.ts';
import { HttpError } from '#server/http/http-error.ts';
import { readLimit } from '#server/http/page.ts';
import { MAX_QUESTION } from '#core/text/question.ts';
import type { Place } from '#lanes/video/core/folder/known-show.ts';
import {
  changeShow,
  createShow,
  deleteShow,
  episodeGone,
  episodePut,
  patched,
  seasonGone,
  seasonPut,
} from './edit-show.ts';
import { findShows, listShows, readShow } from './read-shows.ts';

/** Bytes of a show with its episodes. */
const MAX_SHOW = 8 * 1024 * 1024;

const READ = { scope: 'ReadCatalog', tag: 'Catalog' } as const;
const PUT = { ...PATCH, maxBody: MAX_SHOW } as const;
const NOW = { 200: json(ShowAnswerSchema, 'The show as it is now.') };

/** /v1/catalog/shows: shows, their seasons and episodes. All that changes one honours `If-Match` with its version. */
export function showRoutes(deps: EditDeps): Route[] {
  const { store, ids } = deps;
  const { edited, removed } = editing(deps, ['seasons', 'episodes']);
  return [
    route('GET /v1/catalog/shows', {
      ...READ,
      summary: 'Shows by title, or those that words find; typing errors are forgiven.',
      query: {
        ...paged(50, 500),
        q: { description: 'What is looked for: the best are answered, without a cursor.', schema: v.string() },
      },
      replies: { 200: json(listOf(ShowHeadSchema), 'A page of shows without their episodes.') },
      async answer(c) {
        const words = (c.req.query('q') ?? '').slice(0, MAX_QUESTION);
        if (words.trim() === '') return c.json(await listShows(c, store.db));
        return c.json({ items: await findShows(store.db, words, readLimit(c, 50, 500)), next_cursor: null });
      },
    }),
    route('GET /v1/catalog/shows/:id', {
      ...READ,
      summary: 'A show with its seasons and episodes.',
      replies: { 200: json(ShowAnswerSchema, 'The show.') },
      failures: [404],
      async answer(c) {
        const id = c.req.param('id');
        const show = await readShow(store.db, id);
        if (show === null) throw new HttpError('not_found', `There is no show "${id}".`);
        return tagged(c, show);
      },
    }),
    route('POST /v1/catalog/shows', {
      ...CREATE,
      summary: 'Create a show, with its seasons and episodes or without.',
      body: NewShowSchema,
      maxBody: MAX_SHOW,
      replies: { 201: json(ShowAnswerSchema, 'The show.') },
      answer: (c) => edited(c, 201, NewShowSchema, 'show.created', (tx, body) => createShow(tx, ids, body)),
    }),
    route('PATCH /v1/catalog/shows/:id', {
      ...PATCH,
      summary: 'Change fields of a show; its seasons, where they are given, all at once.',
      body: ShowPatchSchema,
      maxBody: MAX_SHOW,
      replies: NOW,
      answer: (c) =>
        edited(c, 200, ShowPatchSchema, 'show.changed', (tx, body) =>
          changeShow(tx, c.req.param('id'), match(c), patched(body)),
        ),
    }),
    route('DELETE /v1/catalog/shows/:id', {
      ...DELETE,
      summary: 'Delete a show with its seasons and episodes.',
      replies: { 204: { description: 'It is gone.' } },
      async answer(c) {
        await removed(c, 'show.deleted', (tx) => deleteShow(tx, c.req.param('id'), match(c)));
        return c.body(null, 204);
      },
    }),
    route('PUT /v1/catalog/shows/:id/seasons/:season', {
      ...PUT,
      summary: 'Make or change a season (0: specials). Without `episodes` it keeps those it has.',
      body: SeasonBodySchema,
      replies: NOW,
      answer: (c) =>
        edited(c, 200, SeasonBodySchema, 'show.changed', (tx, body) =>
          changeShow(tx, c.req.param('id'), match(c), seasonPut(seasonNumber(c.req.param('season')), body)),
        ),
    }),
    route('DELETE /v1/catalog/shows/:id/seasons/:season', {
      ...DELETE,
      summary: 'Delete a season with its episodes.',
      replies: NOW,
      async answer(c) {
        const gone = seasonGone(seasonNumber(c.req.param('season')));
        return c.json(await removed(c, 'show.changed', (tx) => changeShow(tx, c.req.param('id'), match(c), gone)));
      },
    }),
    route('PUT /v1/catalog/shows/:id/seasons/:season/episodes/:episode', {
      ...PUT,
      summary: 'Make or change an episode, and its season where there is none.',
      body: EpisodeBodySchema,
      replies: NOW,
      answer: (c) =>
        edited(c, 200, EpisodeBodySchema, 'show.changed', (tx, body) =>
          changeShow(tx, c.req.param('id'), match(c), episodePut(placeOf(c.req.param()), body)),
        ),
    }),
    route('DELETE /v1/catalog/shows/:id/seasons/:season/episodes/:episode', {
      ...DELETE,
      summary: 'Delete an episode.',
      replies: NOW,
      async answer(c) {
        const gone = episodeGone(placeOf(c.req.param()));
        return c.json(await removed(c, 'show.changed', (tx) => changeShow(tx, c.req.param('id'), match(c), gone)));
      },
    }),
  ];
}

const match = (c: Context<Env>): string | undefined => c.req.header('if-match');

/** Throws HttpError 400 for what is no number of a season. */
function seasonNumber(text: string): number {
  return parse(SeasonNumberSchema, numberOf(text), '"season"');
}

function placeOf({ season, episode }: { season: string; episode: string }): Place {
  return { season: seasonNumber(season), episode: parse(EpisodeNumberSchema, numberOf(episode), '"episode"') };
}

const numberOf = (text: string): number | string => (/^\d{1,6}$/.test(text) ? Number(text) : text);
