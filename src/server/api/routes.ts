/** The table of every route of the server. What is not in it is not there. */
import type { CatalogDeps } from '../deps.ts';
import type { Limits } from '../rates/limits.ts';
import { audioRoutes } from '../routes/audio.ts';
import { cancelJobRoutes } from '../routes/cancel-job.ts';
import { auditRoutes } from '../routes/audit.ts';
import { bundleRoutes } from '../routes/bundles.ts';
import { catalogEditRoutes } from '../routes/catalog-edit.ts';
import { catalogImportRoutes } from '../routes/catalog-import.ts';
import { catalogReadRoutes } from '../routes/catalog-read.ts';
import { changesRoutes } from '../routes/changes.ts';
import { claimRoutes } from '../routes/claims.ts';
import { commitRoutes } from '../routes/commits.ts';
import { configRoutes } from '../routes/config.ts';
import { docsRoutes } from '../routes/docs.ts';
import { jobRoutes } from '../routes/jobs.ts';
import { llmRoutes } from '../routes/llm.ts';
import { peopleRoutes } from '../routes/people.ts';
import { planRoutes } from '../routes/plans.ts';
import { planToolRoutes } from '../routes/plan-tools.ts';
import { requestRoutes } from '../routes/requests.ts';
import { reviewRoutes } from '../routes/reviews.ts';
import { serviceRoutes } from '../routes/service.ts';
import { showRoutes } from '../routes/shows.ts';
import { signRoutes } from '../routes/sign.ts';
import { snapshotRoutes } from '../routes/snapshot.ts';
import { tokenRoutes } from '../routes/tokens.ts';
import { uploadFilesRoutes } from '../routes/upload.ts';
import { uploadRoutes } from '../routes/uploads.ts';
import { versionRoutes } from '../routes/versions.ts';
import type { Metrics } from '../watch/metrics.ts';
import type { Route } from './route.ts';

export function catalogRoutes(deps: CatalogDeps, limits: Limits, metrics: Metrics): Route[] {
  const lock = deps.store.locks;
  const routes: Route[] = [
    ...serviceRoutes(deps, metrics),
    ...configRoutes(deps),
    ...signRoutes(deps),
    ...catalogReadRoutes(deps),
    ...changesRoutes(deps),
    ...snapshotRoutes(deps),
    ...audioRoutes(deps),
    ...catalogImportRoutes(deps),
    ...catalogEditRoutes(deps),
    ...showRoutes(deps),
    ...versionRoutes(deps, lock),
    ...requestRoutes(deps),
    ...uploadRoutes(deps, lock),
    ...commitRoutes(deps, lock),
    ...bundleRoutes(deps, lock),
    ...uploadFilesRoutes(deps),
    ...jobRoutes(deps),
    ...cancelJobRoutes(deps),
    ...claimRoutes(deps),
    ...reviewRoutes(deps),
    ...planRoutes(deps),
    ...planToolRoutes(deps),
    ...llmRoutes(deps),
    ...peopleRoutes(deps, limits),
    ...tokenRoutes(deps),
    ...auditRoutes(deps),
  ];
  // The document describes itself, too.
  const docs = docsRoutes(deps.version, () => specs);
  const all = [...routes, ...docs];
  const specs = all.map(({ spec }) => spec);
  return all;
}
