import {
  AlbumAnswerSchema,
  AlbumPatchSchema,
  ArtistAnswerSchema,
  ArtistPatchSchema,
  NewAlbumSchema,
  NewArtistSchema,
  NewTrackSchema,
  TrackAnswerSchema,
  TrackPatchSchema,
} from '#lanes/music/core/catalog.ts';
import { json } from '#server/api/fields.ts';
import { route, type Route } from '#server/api/route.ts';
import { CREATE, editing, PATCH, type EditDeps } from '#server/http/editing.ts';
import { createAlbum, patchAlbum, createTrack, patchTrack, createArtist, patchArtist } from './edit-album.ts';

/** Bytes of an album with its tracks. */
const MAX_ALBUM = 8 * 1024 * 1024;

/** /v1/catalog: what the editor writes. PATCH honours `If-Match` with the row's version. */
export function catalogEditRoutes(deps: EditDeps): Route[] {
  const { ids } = deps;
  const { edited } = editing(deps, ['tracks']);
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
