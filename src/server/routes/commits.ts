import { CommitRequestSchema, CommitResponseSchema } from '#core/sync/protocol.ts';
import { json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import type { CatalogDeps } from '../deps.ts';
import { readBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { keyed, send } from '../http/mutate.ts';
import { commit } from '../ingest/commit.ts';
import type { Locks } from '../keyed-lock.ts';

/** POST /v1/ingestion/commits */
export function commitRoutes(
  deps: Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log' | 'events'>,
  lock: Locks,
): Route[] {
  return [
    route(
      {
        method: 'POST',
        path: '/v1/ingestion/commits',
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
      },
      async (c) => {
        const { text, value } = await readBody(c, CommitRequestSchema);
        const request = keyed(c, text);
        if (request.key === null) throw new HttpError('invalid', 'A commit needs the header Idempotency-Key.');
        const { answer, replayed } = await commit({ ...deps, lock }, request, value);
        if (!replayed) {
          deps.events.emit({ type: 'CatalogChanged' });
          deps.events.emit({ type: 'IngestionChanged' });
        }
        return send(c, answer, replayed);
      },
    ),
  ];
}
