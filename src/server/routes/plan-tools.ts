import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { AgentTool } from '#core/agent/tools/tool.ts';
import { AccessionError, failure } from '#core/errors.ts';
import type { PlanToolContext } from '#core/plan/tools/context.ts';
import { PLAN_TOOLS } from '#core/plan/tools/plan-tools.ts';
import { ToolsSchema } from '#core/sync/plan-protocol.ts';
import { json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import { readBody } from '../http/body.ts';
import { keyedOnce, type Done } from '../http/keyed-once.ts';
import { serverPlans, type PlansDeps } from '../plans/server-plans.ts';

/** /v1/tools: the tools of plans for an agent that runs elsewhere, by their specified names. */
export function planToolRoutes(deps: PlansDeps): Route[] {
  const { context } = serverPlans(deps);
  return [
    route(
      {
        method: 'GET',
        path: '/v1/tools',
        scope: 'EditCatalog',
        tag: 'Plans',
        summary: 'The tools that an agent may call, each with the JSON Schema of its input.',
        replies: { 200: json(ToolsSchema, 'The tools.') },
        idempotent: true,
      },
      (c) => c.json({ tools: PLAN_TOOLS.map(described) }),
    ),
    ...PLAN_TOOLS.map((tool) =>
      route(
        {
          method: 'POST',
          path: `/v1/tools/${tool.name}`,
          scope: 'EditCatalog',
          tag: 'Plans',
          summary: tool.description,
          body: tool.input,
          replies: { 200: json(tool.output, 'What the tool answers.') },
          failures: tool.risk === 'read' ? [404] : [404, 409],
          idempotent: tool.risk === 'read' ? true : 'key',
        },
        async (c) => {
          if (tool.risk !== 'read') {
            return keyedOnce(c, deps, tool.input, (body, { user_id }, key) =>
              call(tool, context(user_id), body, key === null ? '' : `${user_id} ${key}`),
            );
          }
          const { value } = await readBody(c, tool.input);
          const { body } = await call(tool, context(c.var.principal.user_id), value, '');
          return c.json(body);
        },
      ),
    ),
  ];
}

async function call(
  tool: AgentTool<PlanToolContext>,
  context: PlanToolContext,
  input: unknown,
  key: string,
): Promise<Done> {
  const outcome = await tool.execute(input, {
    context,
    signal: undefined,
    idempotencyKey: key,
    fetch: () => Promise.resolve({ ok: false, failure: failure('tool_refused', `${tool.name} reaches no network.`) }),
  });
  if (!outcome.ok) throw new AccessionError(outcome.failure);
  // Every tool's output is an object.
  const body = { ...(outcome.output as object) };
  const ended = tool.name.startsWith('end') && isTask(input) ? input.taskId : null;
  return ended === null
    ? { status: 200, body }
    : { status: 200, body, audit: { action: 'plan.proposed', entity_id: ended, details: { tool: tool.name } } };
}

function isTask(input: unknown): input is { taskId: string } {
  return typeof input === 'object' && input !== null && 'taskId' in input && typeof input.taskId === 'string';
}

function described(tool: AgentTool<PlanToolContext>): { name: string; description: string; parameters: object } {
  const schema: v.GenericSchema = tool.input;
  const { $schema: _draft, ...parameters } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
  });
  return { name: tool.name, description: tool.description, parameters };
}
