/** The catalog server's routes as functions. Every answer is parsed; every failure is one of core/errors.ts. */
import * as v from 'valibot';
import { randomIds } from '#core/ids.ts';
import type { Ids } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import {
  AlbumAnswerSchema,
  AlbumItemSchema,
  ArtistAnswerSchema,
  DownloadRequestAnswerSchema,
  HealthSchema,
  JobAnswerSchema,
  listOf,
  SearchAnswerSchema,
  TrackAnswerSchema,
} from '#core/sync/answers.ts';
import {
  ChangesPageSchema,
  CommitResponseSchema,
  DownloadRequestSchema,
  ImportResultSchema,
  MirroredJobSchema,
  MirroredReviewSchema,
  MirrorResponseSchema,
  SignResponseSchema,
  type AlbumPatchSchema,
  type ArtistPatchSchema,
  type ChangesPage,
  type CommitRequest,
  type MirrorRequest,
  type NewAlbumSchema,
  type NewArtistSchema,
  type NewTrackSchema,
  type ReviewAnswerRequestSchema,
  type TrackPatchSchema,
} from '#core/sync/protocol.ts';
import { ShowChangesPageSchema, type ShowChangesPage } from '#core/sync/shows.ts';
import { SnapshotAnswerSchema } from '#core/sync/snapshot.ts';
import { failureOfThrown, unreadable } from './failures.ts';
import { createSend, resolveBase, type HttpOptions, type HttpRequest } from './request.ts';

export interface CatalogClientOptions extends HttpOptions {
  /** For the `Idempotency-Key` of a POST whose caller gave none. */
  ids?: Ids;
}

/** A page of a change feed, or `start_over`: the server does not know the cursor (any more). */
type FeedAnswer<Page> = { kind: 'page'; page: Page } | { kind: 'start_over' };
export type ChangesAnswer = FeedAnswer<ChangesPage>;
export type ShowChangesAnswer = FeedAnswer<ShowChangesPage>;

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

  const get = <T extends v.GenericSchema>(path: string, schema: T, signal?: AbortSignal) =>
    call({ method: 'GET', path, signal }, schema);

  const post = <T extends v.GenericSchema>(
    path: string,
    body: unknown,
    schema: T,
    key: string = ids.next(),
    rest: Partial<HttpRequest> = {},
  ) =>
    call(
      { method: 'POST', path, body: JSON.stringify(body), headers: { ...JSON_TYPE, 'idempotency-key': key }, ...rest },
      schema,
    );

  /** `version`: refused with `conflict` when the row has another one by now. */
  const patch = <T extends v.GenericSchema>(path: string, body: unknown, schema: T, version?: number) => {
    const condition: Record<string, string> = version === undefined ? {} : { 'if-match': `"${version}"` };
    return call({ method: 'PATCH', path, body: JSON.stringify(body), headers: { ...JSON_TYPE, ...condition } }, schema);
  };

  async function feed<T extends v.GenericSchema>(
    at: string,
    schema: T,
    { cursor, limit }: { cursor: string | null; limit: number },
    signal: AbortSignal | undefined,
  ): Promise<Result<FeedAnswer<v.InferOutput<T>>>> {
    const path = `${at}${query({ cursor, limit })}`;
    // 410: put back to an older state. 400: the cursor is another server's. Without one, neither says so.
    const accept = cursor === null ? [] : [400, 410];
    const answer = await send({ method: 'GET', path, signal, accept, timeoutMs: 60_000 });
    if (!answer.ok) return answer;
    if (!answer.value.ok) return ok({ kind: 'start_over' });
    const page = await parsed(answer.value, path, schema, base);
    return page.ok ? ok({ kind: 'page', page: page.value }) : page;
  }

  const sign = (path: string) => post('/v1/sign', { path }, SignResponseSchema);

  return {
    health: () => call({ method: 'GET', path: '/health', open: true, timeoutMs: 5_000 }, HealthSchema),

    /** GET /v1/config as it came (core/agent/llm/wire.ts `ServerDefaultsSchema`, which the page need not load). */
    config: (signal?: AbortSignal) => get('/v1/config', v.unknown(), signal),

    search: (q: string, limit = 20, signal?: AbortSignal) =>
      get(`/v1/catalog/search${query({ q, limit })}`, SearchAnswerSchema, signal),
    artist: (id: string) => get(`/v1/catalog/artists/${encodeURIComponent(id)}`, ArtistAnswerSchema),
    /** `missing`: only albums that lack some audio. */
    albums: (page: Page & { missing?: boolean } = {}) =>
      get(`/v1/catalog/albums${query({ ...page })}`, listOf(AlbumItemSchema)),
    album: (id: string) => get(`/v1/catalog/albums/${encodeURIComponent(id)}`, AlbumAnswerSchema),
    track: (id: string) => get(`/v1/catalog/tracks/${encodeURIComponent(id)}`, TrackAnswerSchema),

    /** The change feed from `cursor` on; null reads it from the start. */
    changes: (cursor: string | null, limit: number, signal?: AbortSignal): Promise<Result<ChangesAnswer>> =>
      feed('/v1/catalog/changes', ChangesPageSchema, { cursor, limit }, signal),
    /** The shows' own, as `changes`. */
    showChanges: (cursor: string | null, limit: number, signal?: AbortSignal): Promise<Result<ShowChangesAnswer>> =>
      feed('/v1/catalog/changes/shows', ShowChangesPageSchema, { cursor, limit }, signal),

    /** The snapshot that a first load begins with; with how far it is ahead of `cursor`. */
    snapshot: (cursor: string | null, signal?: AbortSignal) =>
      get(`/v1/catalog/snapshot${query({ cursor })}`, SnapshotAnswerSchema, signal),
    /** The file of a snapshot, gzip. It may be large: ten minutes are given. */
    snapshotFile: (name: string, signal?: AbortSignal) =>
      send({ method: 'GET', path: `/v1/catalog/snapshot/${encodeURIComponent(name)}`, signal, timeoutMs: 600_000 }),

    importCatalog: (file: unknown, key?: string) =>
      post('/v1/catalog/import', file, ImportResultSchema, key, { timeoutMs: 300_000 }),
    createArtist: (row: v.InferInput<typeof NewArtistSchema>, key?: string) =>
      post('/v1/catalog/artists', row, ArtistAnswerSchema, key),
    patchArtist: (id: string, change: v.InferInput<typeof ArtistPatchSchema>, version?: number) =>
      patch(`/v1/catalog/artists/${encodeURIComponent(id)}`, change, ArtistAnswerSchema, version),
    /** With its tracks, all or nothing. */
    createAlbum: (row: v.InferInput<typeof NewAlbumSchema>, key?: string) =>
      post('/v1/catalog/albums', row, AlbumAnswerSchema, key),
    patchAlbum: (id: string, change: v.InferInput<typeof AlbumPatchSchema>, version?: number) =>
      patch(`/v1/catalog/albums/${encodeURIComponent(id)}`, change, AlbumAnswerSchema, version),
    createTrack: (row: v.InferInput<typeof NewTrackSchema>, key?: string) =>
      post('/v1/catalog/tracks', row, TrackAnswerSchema, key),
    patchTrack: (id: string, change: v.InferInput<typeof TrackPatchSchema>, version?: number) =>
      patch(`/v1/catalog/tracks/${encodeURIComponent(id)}`, change, TrackAnswerSchema, version),

    downloadRequests: (page: Page & { status?: 'pending' | 'fulfilled' } = {}) =>
      get(`/v1/download-requests${query({ ...page })}`, listOf(DownloadRequestSchema)),
    createDownloadRequest: (wanted: { album_id: string } | { track_id: string }, key?: string) =>
      post('/v1/download-requests', wanted, DownloadRequestAnswerSchema, key),

    /** The server hashes the whole file before it answers, hence the long limit. */
    commit: (body: CommitRequest, key: string, signal?: AbortSignal) =>
      post('/v1/ingestion/commits', body, CommitResponseSchema, key, { signal, timeoutMs: 120_000 }),
    jobs: (page: Page & { status?: string; parent_job_id?: string; batch_id?: string } = {}) =>
      get(`/v1/ingestion/jobs${query({ ...page })}`, listOf(MirroredJobSchema)),
    job: (id: string) => get(`/v1/ingestion/jobs/${encodeURIComponent(id)}`, JobAnswerSchema),
    reviews: (page: Page = {}) => get(`/v1/ingestion/review${query({ ...page })}`, listOf(MirroredReviewSchema)),
    /** Ends a job wherever it is worked on; `conflict` when it is finished. */
    cancelJob: (id: string) =>
      call({ method: 'DELETE', path: `/v1/ingestion/jobs/${encodeURIComponent(id)}` }, v.unknown()),
    /** Of a question that several files share, any of its jobs names it. `conflict` says who answered first, and what. */
    answerReview: (jobId: string, answer: v.InferInput<typeof ReviewAnswerRequestSchema>, key?: string) =>
      post(`/v1/ingestion/review/${encodeURIComponent(jobId)}`, answer, MirroredReviewSchema, key),
    mirror: (body: MirrorRequest, signal?: AbortSignal) =>
      call(
        { method: 'PUT', path: '/v1/ingestion/mirror', body: JSON.stringify(body), headers: JSON_TYPE, signal },
        MirrorResponseSchema,
      ),

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

async function parsed<T extends v.GenericSchema>(
  response: Response,
  path: string,
  schema: T,
  base: string,
): Promise<Result<v.InferOutput<T>>> {
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

function query(fields: Record<string, string | number | boolean | null | undefined>): string {
  const given = Object.entries(fields).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** Signed for this server alone: a URL that leads elsewhere is not one. */
function absolute(url: string, base: string): string | null {
  if (url.startsWith('/')) return `${base}${url}`;
  return URL.canParse(url) && new URL(url).origin === new URL(base).origin ? url : null;
}
