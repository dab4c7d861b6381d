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
} from '#lanes/music/core/protocol/catalog.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { CREATE, editing, PATCH, type EditDeps } from '#server/http/editing.ts';
import { createAlbum, patchAlbum } from './edit-album.ts';
import { createArtist, patchArtist } from './edit-artist.ts';
import { createTrack, patchTrack } from './edit-track.ts';

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
