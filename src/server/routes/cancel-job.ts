import * as v from 'valibot';
import { json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import type { CatalogDeps } from '../deps.ts';
import { cancelJob } from '../work/cancel-job.ts';

const CancelledSchema = v.object({
  /** The job, and what came out of it where it is an archive. */
  cancelled: v.array(v.string()),
});

/** DELETE /v1/ingestion/jobs/:id */
export function cancelJobRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>): Route[] {
  return [
    route(
      {
        method: 'DELETE',
        path: '/v1/ingestion/jobs/:id',
        scope: 'EditCatalog',
        tag: 'Ingestion',
        summary: 'Cancel a job; whoever works on it stops.',
        description:
          'The job ends as FAILED with "cancelled", an archive\'s with everything that came out of it. A finished one answers 409.',
        replies: { 200: json(CancelledSchema, 'What was ended.') },
        failures: [404, 409],
        idempotent: false,
      },
      async (c) => {
        const { principal } = c.var;
        const cancelled = await deps.store.write((tx) => cancelJob(tx, deps, principal, c.req.param('id')));
        deps.events.emit({ type: 'IngestionChanged' });
        return c.json({ cancelled });
      },
    ),
  ];
}
