/** Plans on the server, as a person reviews them. No method throws. */
import * as v from 'valibot';
import { failure } from '#core/errors.ts';
import { randomIds } from '#core/ids.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { PlanPreviewSchema, PlansSchema, UpdatedPlanSchema, type UpdatePlanSchema } from '#core/sync/plan-protocol.ts';
import { createSend, type HttpOptions, type HttpRequest } from './request.ts';

export type PlanClient = ReturnType<typeof createPlanClient>;

export function createPlanClient(options: HttpOptions) {
  const send = createSend(options);

  async function call<S extends v.GenericSchema>(request: HttpRequest, schema: S): Promise<Result<v.InferOutput<S>>> {
    const answer = await send(request);
    if (!answer.ok) return answer;
    const read = v.safeParse(schema, await answer.value.json().catch(() => undefined));
    return read.success
      ? ok(read.output)
      : fail(failure('server_error', 'The server answered something that this app does not understand.'));
  }

  return {
    /** Those that wait for a person, newest first. */
    pending: () => call({ method: 'GET', path: '/v1/plans?status=pending' }, PlansSchema),
    /** What carrying out a rename plan would do on the server now. */
    preview: (id: string) =>
      call({ method: 'GET', path: `/v1/plans/${encodeURIComponent(id)}/preview` }, PlanPreviewSchema),
    /** The person's word. With `previewHash` the server carries a rename plan out first. */
    update: (body: v.InferInput<typeof UpdatePlanSchema>) =>
      call(
        {
          method: 'POST',
          path: '/api/updatePlan',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'idempotency-key': randomIds.next() },
        },
        UpdatedPlanSchema,
      ),
  };
}
