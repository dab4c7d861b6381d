/** The table of every route of the server. What is not in it is not there. */
import type { CatalogDeps } from '../deps.ts';
import { KeyedLock } from '../keyed-lock.ts';
import { audioRoutes } from '../routes/audio.ts';
import { catalogEditRoutes } from '../routes/catalog-edit.ts';
import { catalogImportRoutes } from '../routes/catalog-import.ts';
import { catalogReadRoutes } from '../routes/catalog-read.ts';
import { changesRoutes } from '../routes/changes.ts';
import { commitRoutes } from '../routes/commits.ts';
import { configRoutes } from '../routes/config.ts';
import { docsRoutes } from '../routes/docs.ts';
import { jobRoutes } from '../routes/jobs.ts';
import { llmRoutes } from '../routes/llm.ts';
import { requestRoutes } from '../routes/requests.ts';
import { reviewRoutes } from '../routes/reviews.ts';
import { serviceRoutes } from '../routes/service.ts';
import { signRoutes } from '../routes/sign.ts';
import { snapshotRoutes } from '../routes/snapshot.ts';
import { uploadRoutes } from '../routes/uploads.ts';
import type { Route } from './route.ts';

export function catalogRoutes(deps: CatalogDeps): Route[] {
  const lock = new KeyedLock();
  const routes: Route[] = [
    ...serviceRoutes(deps),
    ...configRoutes(deps),
    ...signRoutes(deps),
    ...catalogReadRoutes(deps),
    ...changesRoutes(deps),
    ...snapshotRoutes(deps),
    ...audioRoutes(deps),
    ...catalogImportRoutes(deps),
    ...catalogEditRoutes(deps),
    ...requestRoutes(deps),
    ...uploadRoutes(deps, lock),
    ...commitRoutes(deps, lock),
    ...jobRoutes(deps),
    ...reviewRoutes(deps),
    ...llmRoutes(deps),
  ];
  // The document describes itself, too.
  const docs = docsRoutes(deps.version, () => specs);
  const all = [...routes, ...docs];
  const specs = all.map(({ spec }) => spec);
  return all;
}
