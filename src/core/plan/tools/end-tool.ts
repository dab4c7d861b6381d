import * as v from 'valibot';
import type { AgentTool } from '../../agent/tools/tool.ts';
import type { PlanTask } from '../plan.ts';
import { fromPlan, WRITE_LIMITS, type PlanToolContext } from './context.ts';
import { Success, TaskId } from './fields.ts';

const Input = v.strictObject({ taskId: TaskId });

/** A tool that ends a task of one kind: the plan is listed for the person, who is told. */
export function endTool(
  name: string,
  task: PlanTask,
  description: string,
): AgentTool<PlanToolContext, v.InferOutput<typeof Input>, v.InferOutput<typeof Success>> {
  return {
    name,
    version: 1,
    description,
    input: Input,
    output: Success,
    risk: 'write',
    side_effects: true,
    limits: { ...WRITE_LIMITS, calls: 20 },
    network: [],
    references: { taskId: 'task' },
    shows: () => [],
    render: (output) => output,
    async execute({ taskId }, { context, idempotencyKey }) {
      await context.plans.end(task, taskId, idempotencyKey);
      return { ok: true, output: { success: true }, provenance: fromPlan(taskId) };
    },
  };
}
