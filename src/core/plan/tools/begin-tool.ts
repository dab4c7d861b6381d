import * as v from 'valibot';
import type { AgentTool } from '../../agent/tools/tool.ts';
import type { PlanTask } from '../plan.ts';
import { fromPlan, WRITE_LIMITS, type PlanToolContext } from './context.ts';
import { Began, FolderPath } from './fields.ts';

const Input = v.strictObject({ mediaFolderPath: FolderPath });

/** A tool that begins a task of one kind for a media folder and answers its ID. */
export function beginTool(
  name: string,
  task: PlanTask,
  description: string,
): AgentTool<PlanToolContext, v.InferOutput<typeof Input>, v.InferOutput<typeof Began>> {
  return {
    name,
    version: 1,
    description,
    input: Input,
    output: Began,
    risk: 'write',
    side_effects: true,
    limits: { ...WRITE_LIMITS, calls: 20 },
    network: [],
    references: {},
    shows: ({ taskId }) => [{ kind: 'task', id: taskId }],
    render: ({ taskId }, handle) => ({ taskId: handle('task', taskId) }),
    async execute({ mediaFolderPath }, { context, idempotencyKey }) {
      const taskId = await context.plans.begin(task, mediaFolderPath, { by: context.by, key: idempotencyKey });
      return { ok: true, output: { taskId }, provenance: fromPlan(taskId) };
    },
  };
}
