/** Plans on the server, as a person reviews them. No method throws. */
import type * as v from 'valibot';
import { randomIds } from '#core/ids.ts';
import type { PlanKind, PlanKinds } from '#core/plan/plan-kind.ts';
import { PlanPreviewSchema, planSchemas, type UpdatePlanSchema } from '#core/sync/plan-protocol.ts';
import { addressOf, createJsonCall } from './json-call.ts';
import type { HttpOptions } from './request.ts';

export type PlanClient<Kind extends PlanKind = PlanKind> = ReturnType<typeof createPlanClient<Kind>>;

/** @param kinds that the caller can show; an answer with a plan of another kind is one that it does not understand */
export function createPlanClient<Kind extends PlanKind>(kinds: PlanKinds<Kind>, options: HttpOptions) {
  const call = createJsonCall(options);
  const { list, updated } = planSchemas(kinds);
  return {
    /** Those that wait for a person, newest first. */
    pending: () => call('GET', '/v1/plans?status=pending', list),
    /** What carrying out a plan would do on the server now. */
    preview: (id: string) => call('GET', addressOf('/v1/plans', id, '/preview'), PlanPreviewSchema),
    /** The person's word. With `previewHash` the server carries the plan out first. */
    update: (body: v.InferInput<typeof UpdatePlanSchema>) =>
      call('POST', '/api/updatePlan', updated, body, { key: randomIds.next() }),
  };
}
