import * as v from 'valibot';
import { PLAN_STATUSES } from '#core/plan/plan.ts';
import {
  FoldersSchema,
  pendingPlansSchema,
  PlanHistorySchema,
  PlanPreviewSchema,
  planSchemas,
  UndoneSchema,
  UpdatePlanSchema,
} from '#core/sync/plan-protocol.ts';
import { json, route, type Route } from '../api/route.ts';
import { parse } from '../http/body.ts';
import { keyedOnce, type Done } from '../http/mutate.ts';
import { readLimit } from '../http/page.ts';
import { previewOf } from './carry-out.ts';
import { decidePlan, undoDecision } from './decide-plan.ts';
import { historyOf } from './plan-history.ts';
import { serverPlans, type PlansDeps } from './server-plans.ts';

const EDIT = { scope: 'EditCatalog', tag: 'Plans' } as const;
/** Rows of a large folder. */
const MAX_ROWS = 16 * 1024 * 1024;
const StatusField = v.optional(v.picklist(PLAN_STATUSES));
const OF_KIND = { description: 'Those of these kinds alone, parted by commas.', schema: v.optional(v.string()) };
/** Whether a plan is of the kinds that the request names, where it names any. */
const kindsIn = (said: string | undefined): ((task: string) => boolean) => {
  const named = said?.split(',');
  return (task) => named === undefined || named.includes(task);
};

/** Plans that people confirm: lists, decisions, and what the server does by them. */
export function planRoutes(deps: PlansDeps): Route[] {
  const plans = serverPlans(deps);
  const { service } = plans;
  const { kinds } = deps.plans;
  const schemas = planSchemas(kinds);

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
        'Of a recognition plan that is completed, show, season, episodes and title of each file are recorded (GET /v1/catalog/videos) before it counts as completed. With `previewHash` (GET /v1/plans/:id/preview) the server carries a plan out first that gives names or writes into files, exactly as it was shown, and completes it only when every file is as planned. What is in the way is 409 with `problems`; the plan is pending then. Without it the caller has done what the plan says.',
      body: UpdatePlanSchema,
      replies: { 200: json(schemas.updated, 'The plan as it is now.') },
      failures: [404, 409],
      idempotent: 'key',
      answer: (c) =>
        keyedOnce(c, deps, UpdatePlanSchema, (body, { user_id }) => decidePlan(deps, plans, body, user_id)),
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
      query: { status: { description: 'Those of this status.', schema: StatusField }, task: OF_KIND },
      replies: { 200: json(schemas.list, 'The plans.') },
      async answer(c) {
        const status = parse(StatusField, c.req.query('status'), '"status"');
        const all = await deps.plans.store.list();
        const shown = all.filter(({ state, plan }) => state.stage === 'ready' || plan.status !== 'pending');
        const isOfKind = kindsIn(c.req.query('task'));
        const items = shown.filter(({ plan }) => status === undefined || plan.status === status);
        return c.json({ items: items.filter(({ plan }) => isOfKind(plan.task)) });
      },
    }),
    route('GET /v1/plans/history', {
      ...EDIT,
      summary:
        'What became of plans, newest first: who made them, who carried them out, and whether that can be undone.',
      query: { limit: { description: 'Plans, 1 to 500; 50 when absent.', schema: v.number() }, task: OF_KIND },
      replies: { 200: json(PlanHistorySchema, 'The plans without their files; GET /v1/plans/:id has those.') },
      answer: async (c) =>
        c.json(await historyOf(deps, plans, { limit: readLimit(c, 50, 500), isOfKind: kindsIn(c.req.query('task')) })),
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
          const kept = await service.propose({ ...body, notes: {}, source: 'agent' }, user_id);
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
      summary: 'What carrying out a plan would do now, what is in its way, and the hash that confirms it.',
      replies: { 200: json(PlanPreviewSchema, 'The preview.') },
      failures: [404],
      answer: async (c) => c.json(await previewOf(deps, plans, c.req.param('id'))),
    }),
    route('POST /v1/plans/:id/undo', {
      ...EDIT,
      summary:
        'Give every file that a plan renamed or wrote into its former name and content again, or take back what a recognition recorded.',
      body: v.object({}),
      replies: { 200: json(UndoneSchema, 'It was undone.') },
      failures: [404, 409],
      idempotent: 'key',
      answer: (c) =>
        keyedOnce(c, deps, v.object({}), (_body, { user_id }) => undoDecision(deps, plans, c.req.param('id'), user_id)),
    }),
  ];
}

/** The log's line of a plan that was proposed. */
export function proposed(id: string, folder: string): NonNullable<Done['audit']> {
  return { action: 'plan.proposed', entity_id: id, details: { folder } };
}
