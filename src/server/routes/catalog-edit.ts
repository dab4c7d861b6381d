import type { Context } from 'hono';
import type * as v from 'valibot';
import {
  AlbumPatchSchema,
  ArtistPatchSchema,
  NewAlbumSchema,
  NewArtistSchema,
  NewTrackSchema,
  TrackPatchSchema,
} from '#core/sync/protocol.ts';
import { AlbumAnswerSchema, ArtistAnswerSchema, TrackAnswerSchema } from '#core/sync/answers.ts';
import { IF_MATCH, json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import { writeAudit, type AuditAction } from '../audit/audit.ts';
import { createAlbum, patchAlbum } from '../catalog/edit-album.ts';
import { createArtist, patchArtist } from '../catalog/edit-artist.ts';
import { createTrack, patchTrack } from '../catalog/edit-track.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { mutate } from '../http/mutate.ts';
import type { Tx } from '../store/schema.ts';

/** Bytes of an album with its tracks. */
const MAX_ALBUM = 8 * 1024 * 1024;

const CREATE = {
  method: 'POST',
  scope: 'EditCatalog',
  tag: 'Catalog',
  failures: [404, 409, 413, 422],
  idempotent: 'key',
} as const;
const PATCH = {
  method: 'PATCH',
  scope: 'EditCatalog',
  tag: 'Catalog',
  headers: IF_MATCH,
  failures: [404, 409, 412, 413, 422],
  idempotent: true,
} as const;

/** /v1/catalog: what the editor writes. PATCH honours `If-Match` with the row's version. */
export function catalogEditRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>): Route[] {
  const { ids, events, clock } = deps;
  /** One change with its line in the log, which has what was asked for, whatever came of it; then the pages hear of it. */
  const edited = async <S extends v.GenericSchema<unknown, Record<string, unknown>>>(
    c: Context<Env>,
    status: 200 | 201,
    schema: S,
    action: AuditAction,
    work: (tx: Tx, body: v.InferOutput<S>) => Promise<{ id: string }>,
  ): Promise<Response> => {
    const answer = await mutate(c, deps, schema, async (tx, body, by) => {
      const made = await work(tx, body);
      const { tracks: _tracks, ...details }: Record<string, unknown> = body;
      await writeAudit(tx, { at: clock.now(), user_id: by.user_id, action, entity_id: made.id, details });
      return { status, body: made };
    });
    events.emit({ type: 'CatalogChanged' });
    return answer;
  };
  return [
    route(
      {
        ...CREATE,
        path: '/v1/catalog/artists',
        summary: 'Create an artist.',
        body: NewArtistSchema,
        replies: { 201: json(ArtistAnswerSchema, 'The artist.') },
      },
      (c) => edited(c, 201, NewArtistSchema, 'artist.created', (tx, body) => createArtist(tx, ids, body)),
    ),
    route(
      {
        ...PATCH,
        path: '/v1/catalog/artists/:id',
        summary: 'Change fields of an artist.',
        body: ArtistPatchSchema,
        replies: { 200: json(ArtistAnswerSchema, 'The artist as it is now.') },
      },
      (c) =>
        edited(c, 200, ArtistPatchSchema, 'artist.changed', (tx, body) =>
          patchArtist(tx, c.req.param('id'), body, c.req.header('if-match')),
        ),
    ),
    route(
      {
        ...CREATE,
        path: '/v1/catalog/albums',
        summary: 'Create an album, with its tracks or without, all or nothing.',
        body: NewAlbumSchema,
        maxBody: MAX_ALBUM,
        replies: { 201: json(AlbumAnswerSchema, 'The album.') },
      },
      (c) => edited(c, 201, NewAlbumSchema, 'album.created', (tx, body) => createAlbum(tx, ids, body)),
    ),
    route(
      {
        ...PATCH,
        path: '/v1/catalog/albums/:id',
        summary: 'Change fields of an album.',
        body: AlbumPatchSchema,
        replies: { 200: json(AlbumAnswerSchema, 'The album as it is now.') },
      },
      (c) =>
        edited(c, 200, AlbumPatchSchema, 'album.changed', (tx, body) =>
          patchAlbum(tx, ids, c.req.param('id'), body, c.req.header('if-match')),
        ),
    ),
    route(
      {
        ...CREATE,
        path: '/v1/catalog/tracks',
        summary: 'Create a track of an album.',
        body: NewTrackSchema,
        replies: { 201: json(TrackAnswerSchema, 'The track.') },
      },
      (c) => edited(c, 201, NewTrackSchema, 'track.created', (tx, body) => createTrack(tx, ids, body)),
    ),
    route(
      {
        ...PATCH,
        path: '/v1/catalog/tracks/:id',
        summary: 'Change fields of a track.',
        body: TrackPatchSchema,
        replies: { 200: json(TrackAnswerSchema, 'The track as it is now.') },
      },
      (c) =>
        edited(c, 200, TrackPatchSchema, 'track.changed', (tx, body) =>
          patchTrack(tx, ids, c.req.param('id'), body, c.req.header('if-match')),
        ),
    ),
  ];
}
