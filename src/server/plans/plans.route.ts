import * as v from 'valibot';
import { PLAN_STATUSES } from '#core/plan/plan.ts';
import {
  FoldersSchema,
  pendingPlansSchema,
  PlanPreviewSchema,
  planSchemas,
  UndoneSchema,
  UpdatePlanSchema,
} from '#core/sync/plan-protocol.ts';
import { json, route, type Route } from '../api/route.ts';
import { parse } from '../http/body.ts';
import { keyedOnce, type Done } from '../http/mutate.ts';
import { carryOut, previewOf, undoPlan } from './carry-out.ts';
import { serverPlans, type PlansDeps } from './server-plans.ts';

const EDIT = { scope: 'EditCatalog', tag: 'Plans' } as const;
/** Rows of a large folder. */
const MAX_ROWS = 16 * 1024 * 1024;
const StatusField = v.optional(v.picklist(PLAN_STATUSES));

/** Plans that people confirm: lists, decisions, and what the server does by them. */
export function planRoutes(deps: PlansDeps): Route[] {
  const plans = serverPlans(deps);
  const { service } = plans;
  const { kinds } = deps.plans;
  const schemas = planSchemas(kinds);

  /** PLAN-45, PLAN-60 */
  async function update(body: v.InferOutput<typeof UpdatePlanSchema>, by: string): Promise<Done> {
    const { planId, status, previewHash } = body;
    const carriedOut =
      status === 'completed' && previewHash !== undefined ? await carryOut(deps, plans, planId, previewHash, by) : null;
    const { plan } = await service.update(planId, status, by);
    const { result: _result, done, ...outcome } = carriedOut ?? { result: null, done: 'completed' as const };
    const details = {
      task: plan.task,
      folder: plan.mediaFolderPath,
      files: plan.files.length,
      ...(carriedOut === null ? {} : { renamed: carriedOut.renamed, journal: carriedOut.journalId }),
    };
    const action = status === 'rejected' ? 'plan.rejected' : (`plan.${done}` as const);
    const answer = { success: true, plan, ...(carriedOut === null ? {} : { outcome }) };
    return { status: 200, body: answer, audit: { action, entity_id: planId, details } };
  }

  return [
    ...kinds.all.flatMap((kind) =>
      kind.pending === undefined
        ? []
        : route(`GET ${kind.pending.path}`, {
            ...EDIT,
            summary: kind.pending.summary,
            replies: { 200: json(pendingPlansSchema(kind), 'The plans, newest first.') },
            answer: async (c) => c.json({ plans: (await service.pending(kind.task)).map(({ plan }) => plan) }),
          }),
    ),
    route('POST /api/updatePlan', {
      ...EDIT,
      summary: 'Complete or reject a pending plan.',
      description:
        'With `previewHash` (GET /v1/plans/:id/preview) the server carries a rename plan out first, exactly as it was shown, and completes it only when every file has its new name. What is in the way is 409 with `problems`; the plan is pending then. Without it the caller has done what the plan says.',
      body: UpdatePlanSchema,
      replies: { 200: json(schemas.updated, 'The plan as it is now.') },
      failures: [404, 409],
      idempotent: 'key',
      answer: (c) => keyedOnce(c, deps, UpdatePlanSchema, (body, { user_id }) => update(body, user_id)),
    }),
    route('GET /v1/folders', {
      ...EDIT,
      summary: 'The folders of videos that the server may see, as accession.toml names them.',
      replies: { 200: json(FoldersSchema, 'Absolute paths.') },
      answer: (c) => c.json({ folders: [...deps.plans.roots] }),
    }),
    route('GET /v1/plans', {
      ...EDIT,
      summary: 'All plans that were shown to people, newest first, with who made and who decided them.',
      query: { status: { description: 'Those of this status.', schema: StatusField } },
      replies: { 200: json(schemas.list, 'The plans.') },
      async answer(c) {
        const status = parse(StatusField, c.req.query('status'), '"status"');
        const all = await deps.plans.store.list();
        const shown = all.filter(({ state, plan }) => state.stage === 'ready' || plan.status !== 'pending');
        return c.json({ items: shown.filter(({ plan }) => status === undefined || plan.status === status) });
      },
    }),
    route('POST /v1/plans', {
      ...EDIT,
      summary: 'Propose a whole plan at once; it is pending and listed.',
      body: schemas.fresh,
      replies: { 201: json(schemas.kept, 'The plan.') },
      failures: [404, 409],
      maxBody: MAX_ROWS,
      idempotent: 'key',
      answer: (c) =>
        keyedOnce(c, deps, schemas.fresh, async (body, { user_id }) => {
          const kept = await service.propose({ ...body, notes: {} }, user_id);
          return { status: 201, body: kept, audit: proposed(kept.plan.id, body.mediaFolderPath) };
        }),
    }),
    route('GET /v1/plans/:id', {
      ...EDIT,
      summary: 'A plan with what explains it.',
      replies: { 200: json(schemas.kept, 'The plan.') },
      failures: [404],
      answer: async (c) => c.json(await service.read(c.req.param('id'), 'plan')),
    }),
    route('PATCH /v1/plans/:id', {
      ...EDIT,
      summary: 'Change the rows of a pending plan: corrected, left out, renamed otherwise. All of them or none.',
      body: schemas.rows,
      replies: { 200: json(schemas.kept, 'The plan as it is now.') },
      failures: [404, 409],
      maxBody: MAX_ROWS,
      idempotent: 'key',
      answer: (c) =>
        keyedOnce(c, deps, schemas.rows, async ({ files }) => {
          const id = c.req.param('id');
          const kept = await service.replaceFiles(id, files);
          return { status: 200, body: kept, audit: { action: 'plan.changed', entity_id: id } };
        }),
    }),
    route('GET /v1/plans/:id/preview', {
      ...EDIT,
      summary: 'What carrying out a rename plan would do now, what is in its way, and the hash that confirms it.',
      replies: { 200: json(PlanPreviewSchema, 'The preview.') },
      failures: [404],
      answer: async (c) => c.json(await previewOf(deps, plans, c.req.param('id'))),
    }),
    route('POST /v1/plans/:id/undo', {
      ...EDIT,
      summary: 'Give every file that a rename plan renamed its former name again.',
      body: v.object({}),
      replies: { 200: json(UndoneSchema, 'It was undone.') },
      failures: [404, 409],
      idempotent: 'key',
      answer: (c) =>
        keyedOnce(c, deps, v.object({}), async (_body, { user_id }) => {
          const id = c.req.param('id');
          const { journalId, renamed } = await undoPlan(deps, plans, id, user_id);
          const audit = { action: 'plan.undone', entity_id: id, details: { renamed } } as const;
          return { status: 200, body: { journalId, renamed }, audit };
        }),
    }),
  ];
}

/** The log's line of a plan that was proposed. */
export function proposed(id: string, folder: string): NonNullable<Done['audit']> {
  return { action: 'plan.proposed', entity_id: id, details: { folder } };
}
