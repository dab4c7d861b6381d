import { Hono } from 'hono';
import {
  AlbumPatchSchema,
  ArtistPatchSchema,
  NewAlbumSchema,
  NewArtistSchema,
  NewTrackSchema,
  TrackPatchSchema,
} from '#core/sync/protocol.ts';
import { createAlbum, patchAlbum } from '../catalog/edit-album.ts';
import { createArtist, patchArtist } from '../catalog/edit-artist.ts';
import { createTrack, patchTrack } from '../catalog/edit-track.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { mutate } from '../http/mutate.ts';

/** /v1/catalog: what the editor writes. PATCH honours `If-Match` with the row's version. */
export function catalogEditRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>): Hono<Env> {
  const { ids, events } = deps;
  const app = new Hono<Env>();
  const announced = async (response: Promise<Response>): Promise<Response> => {
    const answer = await response;
    events.emit({ type: 'CatalogChanged' });
    return answer;
  };

  app.post('/artists', (c) =>
    announced(
      mutate(c, deps, NewArtistSchema, async (tx, body) => ({ status: 201, body: await createArtist(tx, ids, body) })),
    ),
  );
  app.patch('/artists/:id', (c) =>
    announced(
      mutate(c, deps, ArtistPatchSchema, async (tx, body) => ({
        status: 200,
        body: await patchArtist(tx, c.req.param('id'), body, c.req.header('if-match')),
      })),
    ),
  );
  app.post('/albums', (c) =>
    announced(
      mutate(c, deps, NewAlbumSchema, async (tx, body) => ({ status: 201, body: await createAlbum(tx, ids, body) })),
    ),
  );
  app.patch('/albums/:id', (c) =>
    announced(
      mutate(c, deps, AlbumPatchSchema, async (tx, body) => ({
        status: 200,
        body: await patchAlbum(tx, ids, c.req.param('id'), body, c.req.header('if-match')),
      })),
    ),
  );
  app.post('/tracks', (c) =>
    announced(
      mutate(c, deps, NewTrackSchema, async (tx, body) => ({ status: 201, body: await createTrack(tx, ids, body) })),
    ),
  );
  app.patch('/tracks/:id', (c) =>
    announced(
      mutate(c, deps, TrackPatchSchema, async (tx, body) => ({
        status: 200,
        body: await patchTrack(tx, ids, c.req.param('id'), body, c.req.header('if-match')),
      })),
    ),
  );
  return app;
}
