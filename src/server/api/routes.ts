/** The table of every route of the server. What is not in it is not there. */
import { auditRoutes } from '../audit/audit.route.ts';
import { signRoutes, tokenRoutes } from '../auth/auth.route.ts';
import { changesRoutes } from '../feed/changes.route.ts';
import { importRoutes } from '../import/import.route.ts';
import { bundleRoutes } from '../ingest/bundles.route.ts';
import { jobRoutes } from '../ingest/jobs.route.ts';
import { reviewRoutes } from '../ingest/reviews.route.ts';
import type { ServerDeps } from '../lane-server.ts';
import { llmRoutes } from '../llm/llm.route.ts';
import { peopleRoutes } from '../people/people.route.ts';
import { planToolRoutes } from '../plans/plan-tools.route.ts';
import { planRoutes } from '../plans/plans.route.ts';
import type { Limits } from '../rates/limits.ts';
import { serviceRoutes } from '../service/service.route.ts';
import { uploadFilesRoutes } from '../uploads/upload.route.ts';
import { uploadRoutes } from '../uploads/uploads.route.ts';
import type { Metrics } from '../watch/metrics.ts';
import { claimRoutes } from '../work/claims.route.ts';
import { docsRoutes } from './docs.route.ts';
import type { Route } from './route.ts';

export function catalogRoutes(deps: ServerDeps, limits: Limits, metrics: Metrics): Route[] {
  const { lanes } = deps;
  const routes: Route[] = [
    ...serviceRoutes(deps, metrics),
    ...signRoutes(deps),
    ...lanes.flatMap((lane) => lane.routes(deps)),
    ...changesRoutes(
      deps,
      lanes.flatMap(({ feeds }) => feeds),
    ),
    ...importRoutes(
      deps,
      lanes.flatMap(({ imports }) => imports),
    ),
    ...uploadRoutes(deps),
    ...bundleRoutes(deps),
    ...uploadFilesRoutes(deps),
    ...jobRoutes(deps),
    ...claimRoutes(deps),
    ...reviewRoutes(deps),
    ...planRoutes(deps),
    ...planToolRoutes(deps),
    ...llmRoutes(deps),
    ...peopleRoutes(deps, limits),
    ...tokenRoutes(deps),
    ...auditRoutes(
      deps,
      lanes.flatMap(({ audit }) => audit),
    ),
  ];
  // The document describes itself, too.
  const docs = docsRoutes(deps.version, () => specs);
  const all = [...routes, ...docs];
  const specs = all.map(({ spec }) => spec);
  return all;
}
