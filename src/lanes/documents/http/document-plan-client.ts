/** Plans over documents on the catalog server. */
import { createPlanClient } from '#adapters/http/plan-client.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import { planKinds } from '#core/plan/plan-kind.ts';
import { documentKind } from '#lanes/documents/core/plan/document-kind.ts';

const KINDS = planKinds([documentKind(null)]);
export const documentPlanClient = (http: HttpOptions) => createPlanClient(KINDS, http);
