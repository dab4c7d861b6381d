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
import type { Principal } from '../auth/principal.ts';
import { createAlbum, patchAlbum } from '../catalog/edit-album.ts';
import { createArtist, patchArtist } from '../catalog/edit-artist.ts';
import { createTrack, patchTrack } from '../catalog/edit-track.ts';
import type { CatalogDeps } from '../deps.ts';
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
  const announced = async (response: Promise<Response>): Promise<Response> => {
    const answer = await response;
    events.emit({ type: 'CatalogChanged' });
    return answer;
  };
  /** What was asked for is in the log, whatever came of it. */
  const logged = async <T extends { id: string }>(
    tx: Tx,
    by: Principal,
    action: AuditAction,
    asked: object,
    made: T,
  ): Promise<T> => {
    const { tracks: _tracks, ...details }: Record<string, unknown> = { ...asked };
    await writeAudit(tx, { at: clock.now(), user_id: by.user_id, action, entity_id: made.id, details });
    return made;
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
      (c) =>
        announced(
          mutate(c, deps, NewArtistSchema, async (tx, body, by) => ({
            status: 201,
            body: await logged(tx, by, 'artist.created', body, await createArtist(tx, ids, body)),
          })),
        ),
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
        announced(
          mutate(c, deps, ArtistPatchSchema, async (tx, body, by) => {
            const after = await patchArtist(tx, c.req.param('id'), body, c.req.header('if-match'));
            return { status: 200, body: await logged(tx, by, 'artist.changed', body, after) };
          }),
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
      (c) =>
        announced(
          mutate(c, deps, NewAlbumSchema, async (tx, body, by) => ({
            status: 201,
            body: await logged(tx, by, 'album.created', body, await createAlbum(tx, ids, body)),
          })),
        ),
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
        announced(
          mutate(c, deps, AlbumPatchSchema, async (tx, body, by) => {
            const after = await patchAlbum(tx, ids, c.req.param('id'), body, c.req.header('if-match'));
            return { status: 200, body: await logged(tx, by, 'album.changed', body, after) };
          }),
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
      (c) =>
        announced(
          mutate(c, deps, NewTrackSchema, async (tx, body, by) => ({
            status: 201,
            body: await logged(tx, by, 'track.created', body, await createTrack(tx, ids, body)),
          })),
        ),
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
        announced(
          mutate(c, deps, TrackPatchSchema, async (tx, body, by) => {
            const after = await patchTrack(tx, ids, c.req.param('id'), body, c.req.header('if-match'));
            return { status: 200, body: await logged(tx, by, 'track.changed', body, after) };
          }),
        ),
    ),
  ];
}
