import { CommitRequestSchema, CommitResponseSchema } from '#core/sync/protocol.ts';
import { RestoreSchema, TrackVersionsSchema } from '#lanes/music/core/catalog.ts';
import { json, route, type Route } from '#server/api/route.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { keyed, send } from '#server/http/mutate.ts';
import { commit } from './commit.ts';
import { listVersions, restore, unpublish } from './versions.ts';

const TRACK = { scope: 'EditCatalog', tag: 'Catalog', idempotent: true } as const;
const NOW = { 200: json(TrackVersionsSchema, 'What the track has and had now.') };

/** POST /v1/ingestion/commits; /v1/catalog/tracks/:id: the audio it has and had, and the way back. */
export function publishRoutes(deps: Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log' | 'events'>): Route[] {
  const { store, events } = deps;
  return [
    route('POST /v1/ingestion/commits', {
      scope: 'Work',
      tag: 'Ingestion',
      summary: 'Publish an uploaded Ogg Vorbis file as the audio of a track.',
      description: 'The file is hashed and read anew: nothing that the request says about it is believed.',
      headers: { 'Idempotency-Key': 'Required: the same commit sent again is answered as before.' },
      body: CommitRequestSchema,
      replies: { 200: json(CommitResponseSchema, 'The track has this audio now.') },
      failures: [404, 409, 422, 503, 507],
      idempotent: 'key',
      takesFiles: true,
      async answer(c) {
        const { request_sha256, value } = await readBody(c, CommitRequestSchema);
        const request = keyed(c, request_sha256);
        if (request.key === null) throw new HttpError('invalid', 'A commit needs the header Idempotency-Key.');
        const { answer, replayed } = await commit(deps, request, value);
        if (!replayed) {
          events.emit({ type: 'CatalogChanged' });
          events.emit({ type: 'IngestionChanged' });
        }
        return send(c, answer, replayed);
      },
    }),
    route('GET /v1/catalog/tracks/:id/versions', {
      ...TRACK,
      scope: 'ReadCatalog',
      summary: 'The audio that a track has and had, and who replaced or unpublished it.',
      replies: { 200: json(TrackVersionsSchema, 'The present one, and the former ones, newest first.') },
      failures: [404],
      answer: async (c) => c.json(await listVersions(store.db, c.req.param('id'))),
    }),
    route('POST /v1/catalog/tracks/:id/unpublish', {
      ...TRACK,
      summary: 'Take the audio of a track out of the catalog; the file is kept.',
      replies: NOW,
      failures: [404],
      async answer(c) {
        const answer = await unpublish(deps, c.var.principal, c.req.param('id'));
        events.emit({ type: 'CatalogChanged' });
        return c.json(answer);
      },
    }),
    route('POST /v1/catalog/tracks/:id/restore', {
      ...TRACK,
      summary: 'Make former audio of a track its present one again.',
      description: 'What is there now is kept in its place. The file is hashed and read anew.',
      body: RestoreSchema,
      replies: NOW,
      failures: [404, 409, 422, 507],
      async answer(c) {
        const { value } = await readBody(c, RestoreSchema);
        const answer = await restore(deps, c.var.principal, c.req.param('id'), value.sha256);
        events.emit({ type: 'CatalogChanged' });
        return c.json(answer);
      },
    }),
  ];
}
