import { inputSchema } from '#core/agent/tools/registry.ts';
import type { AgentTool } from '#core/agent/tools/tool.ts';
import { AccessionError, failure } from '#core/errors.ts';
import type { PlanToolContext } from '#core/plan/plan-tools.ts';
import { ToolsSchema } from '#core/sync/plan-protocol.ts';
import { json, route, type Route } from '../api/route.ts';
import { readBody } from '../http/body.ts';
import { keyedOnce, type Done } from '../http/mutate.ts';
import { serverPlans, type PlansDeps } from './server-plans.ts';

/** /v1/tools: the tools of plans for an agent outside of the project, by their specified names. */
export function planToolRoutes(deps: PlansDeps): Route[] {
  const { context, tools } = serverPlans(deps);
  const ends = new Set(deps.plans.kinds.all.flatMap((kind) => kind.tools?.end.name ?? []));
  const answered = async (
    tool: AgentTool<PlanToolContext>,
    by: string,
    input: unknown,
    key: string | null,
  ): Promise<Done> => {
    // The same key of two people is two calls.
    const body = await call(tool, context(by), input, key === null ? '' : `${by} ${key}`);
    const ended = ends.has(tool.name) && isTask(input) ? input.taskId : null;
    return ended === null
      ? { status: 200, body }
      : { status: 200, body, audit: { action: 'plan.proposed', entity_id: ended, details: { tool: tool.name } } };
  };
  return [
    route('GET /v1/tools', {
      scope: 'EditCatalog',
      tag: 'Plans',
      summary: 'The tools that an agent may call, each with the JSON Schema of its input.',
      replies: { 200: json(ToolsSchema, 'The tools.') },
      idempotent: true,
      answer: (c) =>
        c.json({
          tools: tools.map((tool) => ({
            name: tool.name,
            description: tool.description,
            parameters: inputSchema(tool),
          })),
        }),
    }),
    ...tools.map((tool) =>
      route(`POST /v1/tools/${tool.name}`, {
        scope: 'EditCatalog',
        tag: 'Plans',
        summary: tool.description,
        body: tool.input,
        replies: { 200: json(tool.output, 'What the tool answers.') },
        failures: tool.risk === 'read' ? [404] : [404, 409],
        idempotent: tool.risk === 'read' ? true : 'key',
        async answer(c) {
          if (tool.risk !== 'read')
            return keyedOnce(c, deps, tool.input, (body, { user_id }, key) => answered(tool, user_id, body, key));
          const { value } = await readBody(c, tool.input);
          return c.json(await call(tool, context(c.var.principal.user_id), value, ''));
        },
      }),
    ),
  ];
}

/** What the tool answers; throws AccessionError where it fails. */
async function call(
  tool: AgentTool<PlanToolContext>,
  context: PlanToolContext,
  input: unknown,
  key: string,
): Promise<object> {
  const outcome = await tool.execute(input, {
    context,
    signal: undefined,
    idempotencyKey: key,
    fetch: () => Promise.resolve({ ok: false, failure: failure('tool_refused', `${tool.name} reaches no network.`) }),
  });
  if (!outcome.ok) throw new AccessionError(outcome.failure);
  // Every tool's output is an object.
  return { ...(outcome.output as object) };
}

function isTask(input: unknown): input is { taskId: string } {
  return typeof input === 'object' && input !== null && 'taskId' in input && typeof input.taskId === 'string';
}
