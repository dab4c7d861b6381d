/** The routes of music as functions, beside those that every lane uses. No method throws. */
import type * as v from 'valibot';
import type { FeedAnswer } from '#core/sync/feed.ts';
import { addressOf, createFeedCall, createJsonCall, withQuery } from '#adapters/http/json-call.ts';
import { createSend } from '#adapters/http/request.ts';
import { createServerClient, type Page, type ServerClientOptions } from '#adapters/http/server-client.ts';
import { randomIds } from '#core/ids.ts';
import { answered, ok, type Result } from '#core/result.ts';
import { listOf } from '#core/sync/fields.ts';
import {
  AlbumAnswerSchema,
  AlbumCoversSchema,
  AlbumItemSchema,
  ArtistAnswerSchema,
  CatalogEditedSchema,
  ChangesPageSchema,
  DownloadRequestAnswerSchema,
  DownloadRequestSchema,
  MusicCountsSchema,
  SearchAnswerSchema,
  TrackAnswerSchema,
  type AlbumPatchSchema,
  type ArtistPatchSchema,
  type ChangesPage,
  type NewAlbumSchema,
  type NewArtistSchema,
  type NewTrackSchema,
  type TrackPatchSchema,
  TrackVersionsSchema,
  SnapshotAnswerSchema,
} from '#lanes/music/core/catalog.ts';

export type ChangesAnswer = FeedAnswer<ChangesPage>;
export type CatalogClient = ReturnType<typeof createCatalogClient>;

const ARTISTS = '/v1/catalog/artists';
const ALBUMS = '/v1/catalog/albums';
const TRACKS = '/v1/catalog/tracks';
const SNAPSHOT = '/v1/catalog/snapshot';
const REQUESTS = '/v1/download-requests';

/** A client of one server. `signal` ends a call with the failure `cancelled`. */
export function createCatalogClient(options: ServerClientOptions) {
  const call = createJsonCall(options);
  const feed = createFeedCall(options);
  const send = createSend(options);
  const ids = options.ids ?? randomIds;

  return {
    ...createServerClient(options),

    search: (q: string, limit = 20, signal?: AbortSignal) =>
      call('GET', withQuery('/v1/catalog/search', { q, limit }), SearchAnswerSchema, undefined, { signal }),
    artist: (id: string) => call('GET', addressOf(ARTISTS, id), ArtistAnswerSchema),
    /** `missing`: only albums that lack some audio. */
    albums: (page: Page & { missing?: boolean } = {}) =>
      call('GET', withQuery(ALBUMS, { ...page }), listOf(AlbumItemSchema)),
    album: (id: string) => call('GET', addressOf(ALBUMS, id), AlbumAnswerSchema),
    track: (id: string) => call('GET', addressOf(TRACKS, id), TrackAnswerSchema),

    /** The change feed from `cursor` on; null reads it from the start. */
    changes: (cursor: string | null, limit: number, signal?: AbortSignal) =>
      feed('/v1/catalog/changes', ChangesPageSchema, { cursor, limit }, signal),
    /** The snapshot that a first load begins with; with how far it is ahead of `cursor`. */
    snapshot: (cursor: string | null, signal?: AbortSignal) =>
      call('GET', withQuery(SNAPSHOT, { cursor }), SnapshotAnswerSchema, undefined, { signal }),
    /** The file of a snapshot, gzip. It may be large: ten minutes are given. */
    snapshotFile: (name: string, signal?: AbortSignal) =>
      send({ method: 'GET', path: addressOf(SNAPSHOT, name), signal, timeoutMs: 600_000 }),

    importCatalog: (file: unknown, key: string = ids.next()) =>
      call('POST', '/v1/catalog/import', MusicCountsSchema, file, { key, timeoutMs: 300_000 }),
    createArtist: (row: v.InferInput<typeof NewArtistSchema>, key: string = ids.next()) =>
      call('POST', ARTISTS, ArtistAnswerSchema, row, { key }),
    /** `version`, here and below: refused with `conflict` when the row has another one by now. */
    patchArtist: (id: string, change: v.InferInput<typeof ArtistPatchSchema>, version?: number) =>
      call('PATCH', addressOf(ARTISTS, id), ArtistAnswerSchema, change, { version }),
    /** With its tracks, all or nothing. */
    createAlbum: (row: v.InferInput<typeof NewAlbumSchema>, key: string = ids.next()) =>
      call('POST', ALBUMS, AlbumAnswerSchema, row, { key }),
    patchAlbum: (id: string, change: v.InferInput<typeof AlbumPatchSchema>, version?: number) =>
      call('PATCH', addressOf(ALBUMS, id), AlbumAnswerSchema, change, { version }),
    createTrack: (row: v.InferInput<typeof NewTrackSchema>, key: string = ids.next()) =>
      call('POST', TRACKS, TrackAnswerSchema, row, { key }),
    patchTrack: (id: string, change: v.InferInput<typeof TrackPatchSchema>, version?: number) =>
      call('PATCH', addressOf(TRACKS, id), TrackAnswerSchema, change, { version }),

    mergeAlbum: (id: string, into: string, key: string = ids.next()) =>
      call('POST', addressOf(ALBUMS, id, '/merge'), CatalogEditedSchema, { into }, { key, timeoutMs: 300_000 }),
    mergeTrack: (id: string, into: string, key: string = ids.next()) =>
      call('POST', addressOf(TRACKS, id, '/merge'), CatalogEditedSchema, { into }, { key, timeoutMs: 300_000 }),
    moveTracks: (track_ids: readonly string[], album_id: string, key: string = ids.next()) =>
      call('POST', `${TRACKS}/move`, CatalogEditedSchema, { track_ids, album_id }, { key }),
    removeAlbum: (id: string) => call('DELETE', addressOf(ALBUMS, id), CatalogEditedSchema),
    removeTrack: (id: string) => call('DELETE', addressOf(TRACKS, id), CatalogEditedSchema),
    undoEdit: (id: string, key: string = ids.next()) =>
      call(
        'POST',
        `/v1/catalog/edits/${encodeURIComponent(id)}/undo`,
        CatalogEditedSchema,
        {},
        { key, timeoutMs: 300_000 },
      ),

    downloadRequests: (page: Page & { status?: 'pending' | 'fulfilled' } = {}) =>
      call('GET', withQuery(REQUESTS, { ...page }), listOf(DownloadRequestSchema)),
    createDownloadRequest: (wanted: { album_id: string } | { track_id: string }, key: string = ids.next()) =>
      call('POST', REQUESTS, DownloadRequestAnswerSchema, wanted, { key }),
    withdrawRequest: (id: string) => call('DELETE', addressOf(REQUESTS, id), DownloadRequestSchema),

    /** The picture that an album has as its cover, and those that it had. */
    covers: (id: string) => call('GET', addressOf(ALBUMS, id, '/covers'), AlbumCoversSchema),
    /** A picture that an album has or had. */
    async cover(sha256: string): Promise<Result<Blob>> {
      const path = `/v1/catalog/covers/${encodeURIComponent(sha256)}`;
      const answer = await send({ method: 'GET', path, timeoutMs: 120_000 });
      return answer.ok ? answered(() => answer.value.blob()) : answer;
    },
    /** Gives an album a picture as its cover; the one that it had is kept. */
    async putCover(id: string, picture: Blob): Promise<Result<null>> {
      const headers = { 'content-type': picture.type || 'application/octet-stream' };
      const path = addressOf(ALBUMS, id, '/cover');
      const answer = await send({ method: 'PUT', path, headers, body: picture, timeoutMs: 120_000 });
      if (!answer.ok) return answer;
      await answer.value.body?.cancel();
      return ok(null);
    },
    /** Makes a picture that the album had its cover again; null: it has none. */
    chooseCover: (id: string, sha256: string | null) =>
      call('POST', addressOf(ALBUMS, id, '/cover'), AlbumCoversSchema, { sha256 }),

    /** The audio that a track has and had. */
    versions: (id: string) => call('GET', addressOf(TRACKS, id, '/versions'), TrackVersionsSchema),
    unpublish: (id: string) => call('POST', addressOf(TRACKS, id, '/unpublish'), TrackVersionsSchema, {}),
    restore: (id: string, sha256: string) =>
      call('POST', addressOf(TRACKS, id, '/restore'), TrackVersionsSchema, { sha256 }),
  };
}
