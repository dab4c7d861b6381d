/** Plans on the server, as a person reviews them. No method throws. */
import * as v from 'valibot';
import { failure } from '#core/errors.ts';
import { randomIds } from '#core/ids.ts';
import type { PlanKind, PlanKinds } from '#core/plan/plan-kind.ts';
import { fail, ok, type Result } from '#core/result.ts';
import {
  PlanHistorySchema,
  PlanPreviewSchema,
  planSchemas,
  UndoneSchema,
  UndoRefusedSchema,
  type UpdatePlanSchema,
} from '#core/sync/plan-protocol.ts';
import { addressOf, createJsonCall, withQuery } from './json-call.ts';
import { createSend, type HttpOptions } from './request.ts';

/** A large folder on a slow disk, milliseconds: the answer comes when every file has its name. */
const UNDO_MS = 30 * 60_000;

/** What an undo came to; what is in its way is no failure of the request. */
export type ServerUndo =
  | ({ result: 'undone' } & v.InferOutput<typeof UndoneSchema>)
  | ({ result: 'refused' } & v.InferOutput<typeof UndoRefusedSchema>['error']);

export type PlanClient<Kind extends PlanKind = PlanKind> = ReturnType<typeof createPlanClient<Kind>>;

/** @param kinds that the caller can show; an answer with a plan of another kind is one that it does not understand */
export function createPlanClient<Kind extends PlanKind>(kinds: PlanKinds<Kind>, options: HttpOptions) {
  const call = createJsonCall(options);
  const send = createSend(options);
  const { list, updated, kept } = planSchemas(kinds);
  const task = kinds.all.map((kind) => kind.task).join(',');

  async function undo(id: string): Promise<Result<ServerUndo>> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomIds.next() };
    const path = addressOf('/v1/plans', id, '/undo');
    const answer = await send({ method: 'POST', path, headers, body: '{}', timeoutMs: UNDO_MS, read: [409] });
    if (!answer.ok) return answer;
    const body: unknown = await answer.value.json().catch(() => null);
    const undone = v.safeParse(UndoneSchema, body);
    if (answer.value.ok && undone.success) return ok({ result: 'undone', ...undone.output });
    const refused = v.safeParse(UndoRefusedSchema, body);
    if (!answer.value.ok && refused.success) return ok({ result: 'refused', ...refused.output.error });
    return fail(failure('server_error', 'The answer to the undo was not one of a catalog server.'));
  }

  return {
    /** Those that wait for a person, newest first. */
    pending: () => call('GET', withQuery('/v1/plans', { status: 'pending', task }), list),
    /** What carrying out a plan would do on the server now. */
    preview: (id: string) => call('GET', addressOf('/v1/plans', id, '/preview'), PlanPreviewSchema),
    /** The person's word. With `previewHash` the server carries the plan out first. */
    update: (body: v.InferInput<typeof UpdatePlanSchema>) =>
      call('POST', '/api/updatePlan', updated, body, { key: randomIds.next() }),
    /** What became of plans, newest first. */
    history: (limit: number) => call('GET', withQuery('/v1/plans/history', { limit, task }), PlanHistorySchema),
    /** A plan with its files. */
    plan: (id: string) => call('GET', addressOf('/v1/plans', id), kept),
    /** Every file has its former name again, or what was recorded is as before; or why not, file by file. */
    undo,
  };
}
