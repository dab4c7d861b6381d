import { CommitResponseSchema } from '#core/sync/protocol.ts';
import { json, route, type Route } from '../api/route.ts';
import { HttpError } from '../http/http-error.ts';
import { send } from '../http/mutate.ts';
import { chunksOf, paced } from '../http/stream.ts';
import type { ServerDeps } from '../lane-server.ts';
import { takeBundle, type BundleDeps } from '../work/take-bundle.ts';

const DESCRIPTION = `The file that "Export" on a workstation's Settings page makes of a result that waits: audio, decision \
and transcript. It is published as the workstation would have done it, under the same key: sent again, or followed by the \
workstation itself, it changes nothing more. Nothing that it says about its audio is believed.`;

/** POST /v1/ingestion/bundles */
export function bundleRoutes(deps: BundleDeps & Pick<ServerDeps, 'events'>): Route[] {
  return [
    route('POST /v1/ingestion/bundles', {
      scope: 'EditCatalog',
      tag: 'Ingestion',
      summary: 'Publish a result that a workstation exported.',
      description: DESCRIPTION,
      body: { type: 'application/zip', description: 'The exported file, as it is.' },
      maxBody: null,
      replies: { 200: json(CommitResponseSchema, 'The track has this audio now.') },
      failures: [404, 409, 413, 415, 422, 503, 507],
      idempotent: true,
      takesFiles: true,
      async answer(c) {
        const { body } = c.req.raw;
        if (!body) throw new HttpError('invalid', 'The request has no body.');
        const bytes = paced(chunksOf(body), deps.uploadLimits.bytesPerSecond);
        const { answer, replayed } = await takeBundle(deps, c.var.principal, bytes);
        if (!replayed) {
          deps.events.emit({ type: 'CatalogChanged' });
          deps.events.emit({ type: 'IngestionChanged' });
        }
        return send(c, answer, replayed);
      },
    }),
  ];
}
