/** The catalog server's routes as functions. Every answer is parsed; every failure is one of core/errors.ts. */
import * as v from 'valibot';
import { randomIds } from '#core/ids.ts';
import type { Ids } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import {
  AlbumAnswerSchema,
  DownloadRequestAnswerSchema,
  HealthSchema,
  ImportAnswerSchema,
  JobAnswerSchema,
  listOf,
  ReviewAnswerSchema,
  SearchAnswerSchema,
} from '#core/sync/answers.ts';
import {
  AlbumSchema,
  ArtistSchema,
  ChangesPageSchema,
  CommitResponseSchema,
  DownloadRequestSchema,
  MirroredJobSchema,
  MirrorResponseSchema,
  SignResponseSchema,
  StoredTrackSchema,
  TrackSchema,
  type ChangesPage,
  type CommitRequest,
  type MirrorRequest,
} from '#core/sync/protocol.ts';
import { failureOfThrown, unreadable } from './failures.ts';
import { createSend, resolveBase, type HttpOptions, type HttpRequest } from './request.ts';

export interface CatalogClientOptions extends HttpOptions {
  /** For the `Idempotency-Key` of a POST whose caller gave none. */
  ids?: Ids;
}

/** A page of the change feed, or `start_over`: the server does not know the cursor (any more). */
export type ChangesAnswer = { kind: 'page'; page: ChangesPage } | { kind: 'start_over' };

type ArtistInput = v.InferInput<typeof ArtistSchema>;
type AlbumInput = v.InferInput<typeof AlbumSchema>;
type TrackInput = v.InferInput<typeof TrackSchema>;
/** The server makes the id where none is given. */
type New<T extends { id: string }> = Omit<T, 'id'> & { id?: string };

interface Page {
  cursor?: string | null;
  limit?: number;
}

export type CatalogClient = ReturnType<typeof createCatalogClient>;

/** A client of one server. No method throws; `signal` ends a call with the failure `cancelled`. */
export function createCatalogClient(options: CatalogClientOptions) {
  const send = createSend(options);
  const ids = options.ids ?? randomIds;
  const base = resolveBase(options.baseUrl);

  async function call<T extends v.GenericSchema>(request: HttpRequest, schema: T): Promise<Result<v.InferOutput<T>>> {
    const answer = await send(request);
    return answer.ok ? parsed(answer.value, request.path, schema, base) : answer;
  }

  const get = <T extends v.GenericSchema>(path: string, schema: T, signal?: AbortSignal) => call({ method: 'GET', path, signal }, schema);

  const post = <T extends v.GenericSchema>(path: string, body: unknown, schema: T, key: string = ids.next(), rest: Partial<HttpRequest> = {}) =>
    call({ method: 'POST', path, body: JSON.stringify(body), headers: { ...JSON_TYPE, 'idempotency-key': key }, ...rest }, schema);

  const patch = <T extends v.GenericSchema>(path: string, body: unknown, schema: T) =>
    call({ method: 'PATCH', path, body: JSON.stringify(body), headers: JSON_TYPE }, schema);

  const sign = (path: string) => post('/v1/sign', { path }, SignResponseSchema);

  return {
    health: () => call({ method: 'GET', path: '/health', open: true, timeoutMs: 5_000 }, HealthSchema),

    search: (q: string, limit = 20, signal?: AbortSignal) => get(`/v1/catalog/search${query({ q, limit })}`, SearchAnswerSchema, signal),
    artist: (id: string) => get(`/v1/catalog/artists/${encodeURIComponent(id)}`, ArtistSchema),
    albums: (page: Page = {}) => get(`/v1/catalog/albums${query({ ...page })}`, listOf(AlbumSchema)),
    album: (id: string) => get(`/v1/catalog/albums/${encodeURIComponent(id)}`, AlbumAnswerSchema),
    track: (id: string) => get(`/v1/catalog/tracks/${encodeURIComponent(id)}`, StoredTrackSchema),

    /** The change feed from `cursor` on; null reads it from the start. */
    async changes(cursor: string | null, limit: number, signal?: AbortSignal): Promise<Result<ChangesAnswer>> {
      const path = `/v1/catalog/changes${query({ cursor, limit })}`;
      const answer = await send({ method: 'GET', path, signal, accept: [410], timeoutMs: 60_000 });
      if (!answer.ok) return answer;
      if (answer.value.status === 410) return ok({ kind: 'start_over' });
      const page = await parsed(answer.value, path, ChangesPageSchema, base);
      return page.ok ? ok({ kind: 'page', page: page.value }) : page;
    },

    importCatalog: (file: unknown, key?: string) => post('/v1/catalog/import', file, ImportAnswerSchema, key, { timeoutMs: 300_000 }),
    createArtist: (row: New<ArtistInput>, key?: string) => post('/v1/catalog/artists', row, ArtistSchema, key),
    patchArtist: (id: string, change: Partial<ArtistInput>) => patch(`/v1/catalog/artists/${encodeURIComponent(id)}`, change, ArtistSchema),
    createAlbum: (row: New<AlbumInput>, key?: string) => post('/v1/catalog/albums', row, AlbumSchema, key),
    patchAlbum: (id: string, change: Partial<AlbumInput>) => patch(`/v1/catalog/albums/${encodeURIComponent(id)}`, change, AlbumSchema),
    createTrack: (row: New<TrackInput>, key?: string) => post('/v1/catalog/tracks', row, StoredTrackSchema, key),
    patchTrack: (id: string, change: Partial<TrackInput>) => patch(`/v1/catalog/tracks/${encodeURIComponent(id)}`, change, StoredTrackSchema),

    downloadRequests: (page: Page & { status?: 'pending' | 'fulfilled' } = {}) =>
      get(`/v1/download-requests${query({ ...page })}`, listOf(DownloadRequestSchema)),
    createDownloadRequest: (wanted: { album_id: string } | { track_id: string }, key?: string) =>
      post('/v1/download-requests', wanted, DownloadRequestAnswerSchema, key),

    /** The server hashes the whole file before it answers, hence the long limit. */
    commit: (body: CommitRequest, key: string, signal?: AbortSignal) =>
      post('/v1/ingestion/commits', body, CommitResponseSchema, key, { signal, timeoutMs: 120_000 }),
    jobs: (page: Page & { status?: string } = {}) => get(`/v1/ingestion/jobs${query({ ...page })}`, listOf(MirroredJobSchema)),
    job: (id: string) => get(`/v1/ingestion/jobs/${encodeURIComponent(id)}`, JobAnswerSchema),
    reviews: (page: Page = {}) => get(`/v1/ingestion/review${query({ ...page })}`, listOf(ReviewAnswerSchema)),
    mirror: (body: MirrorRequest, signal?: AbortSignal) =>
      call({ method: 'PUT', path: '/v1/ingestion/mirror', body: JSON.stringify(body), headers: JSON_TYPE, signal }, MirrorResponseSchema),

    sign,
    /** An absolute URL that works without a header until `expires_at`: for `<audio>` and the socket. */
    async signedUrl(path: string): Promise<Result<{ url: string; expires_at: number }>> {
      const answer = await sign(path);
      if (!answer.ok) return answer;
      const url = absolute(answer.value.url, base);
      return url === null ? fail(unreadable('/v1/sign')) : ok({ url, expires_at: answer.value.expires_at });
    },
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function parsed<T extends v.GenericSchema>(response: Response, path: string, schema: T, base: string): Promise<Result<v.InferOutput<T>>> {
  let body: unknown;
  try {
    body = await response.json();
  } catch (error) {
    // Not JSON, or the connection broke in the middle of the body.
    return fail(error instanceof SyntaxError ? unreadable(path) : failureOfThrown(error, base, 0));
  }
  const outcome = v.safeParse(schema, body);
  return outcome.success ? ok(outcome.output) : fail(unreadable(path));
}

function query(fields: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(fields).flatMap(([key, value]) => (value === null || value === undefined ? [] : [[key, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** Signed for this server alone: a URL that leads elsewhere is not one. */
function absolute(url: string, base: string): string | null {
  if (url.startsWith('/')) return `${base}${url}`;
  return URL.canParse(url) && new URL(url).origin === new URL(base).origin ? url : null;
}
