/** Albums and tracks merged, moved, removed, and all of it taken back. */
import * as v from 'valibot';
import { CatalogEditedSchema, MergeSchema, MoveTracksSchema, TwinsSchema } from '#lanes/music/core/catalog.ts';
import { json, route, type Route } from '#server/api/route.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { readLimit } from '#server/http/page.ts';
import { keyedOnce } from '#server/http/mutate.ts';
import {
  mergeAlbums,
  mergeTracks,
  moveTracks,
  removeAlbum,
  removeTracks,
  twins,
  undoEdit,
  type Edited,
} from './rearrange.ts';

const EDIT = { scope: 'EditCatalog', tag: 'Catalog' } as const;
const DONE = { 200: json(CatalogEditedSchema, 'What is gone, where it is now, and by what it is taken back.') };
const KEYED = { ...EDIT, replies: DONE, failures: [404, 409, 422, 507], idempotent: 'key' } as const;
const REMOVES = { ...EDIT, replies: DONE, failures: [404], idempotent: false } as const;
const KEPT =
  'Audio is kept, and requests with it: the answer names the change, which POST /v1/catalog/edits/{id}/undo takes back.';

/** /v1/catalog: merge, move, remove, undo. */
export function rearrangeRoutes(
  deps: Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log' | 'ids' | 'events'>,
): Route[] {
  const told = async (work: Promise<Edited>): Promise<Edited> => {
    const done = await work;
    deps.events.emit({ type: 'CatalogChanged' });
    return done;
  };
  const answer = async (work: Promise<Edited>) => ({ status: 200 as const, body: await told(work) });
  return [
    route('POST /v1/catalog/albums/:id/merge', {
      ...KEYED,
      summary: 'Merge an album into another one.',
      description: `Tracks of one title and length become one, the others move. ${KEPT}`,
      body: MergeSchema,
      answer: (c) =>
        keyedOnce(c, deps, MergeSchema, ({ into }, by, _, keep) =>
          answer(mergeAlbums(deps, by, c.req.param('id'), into, keep)),
        ),
    }),
    route('POST /v1/catalog/tracks/:id/merge', {
      ...KEYED,
      summary: 'Merge a track into another one.',
      description: `The other one gets its audio where it has none. ${KEPT}`,
      body: MergeSchema,
      answer: (c) =>
        keyedOnce(c, deps, MergeSchema, ({ into }, by, _, keep) =>
          answer(mergeTracks(deps, by, c.req.param('id'), into, keep)),
        ),
    }),
    route('POST /v1/catalog/tracks/move', {
      ...KEYED,
      summary: 'Move tracks to another album.',
      description: 'Each keeps its place where that is free there, else it goes behind the last one of its disc.',
      body: MoveTracksSchema,
      answer: (c) =>
        keyedOnce(c, deps, MoveTracksSchema, (body, by, _, keep) => answer(moveTracks(deps, by, body, keep))),
    }),
    route('DELETE /v1/catalog/albums/:id', {
      ...REMOVES,
      summary: 'Remove an album with its tracks.',
      description: KEPT,
      answer: async (c) => c.json(await told(removeAlbum(deps, c.var.principal, c.req.param('id')))),
    }),
    route('DELETE /v1/catalog/tracks/:id', {
      ...REMOVES,
      summary: 'Remove a track.',
      description: KEPT,
      answer: async (c) => c.json(await told(removeTracks(deps, c.var.principal, [c.req.param('id')]))),
    }),
    route('POST /v1/catalog/edits/:id/undo', {
      ...KEYED,
      summary: 'Take a merge, a move or a removal back.',
      description: 'Refused where its rows were changed since.',
      body: v.object({}),
      answer: (c) =>
        keyedOnce(c, deps, v.object({}), (_, by, _key, keep) => answer(undoEdit(deps, by, c.req.param('id'), keep))),
    }),
    route('GET /v1/catalog/twins', {
      scope: 'ReadCatalog',
      tag: 'Catalog',
      summary: 'Albums of one title and artist.',
      query: { limit: { description: 'Groups at most, 1 to 200; 50 when absent.', schema: v.number() } },
      replies: { 200: json(TwinsSchema, 'The largest groups first.') },
      answer: async (c) => c.json({ items: await twins(deps.store.db, readLimit(c, 50, 200)) }),
    }),
  ];
}
