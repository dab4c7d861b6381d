import * as v from 'valibot';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { beginTool } from './begin-tool.ts';
import { fromPlan, WRITE_LIMITS, type PlanToolContext } from './context.ts';
import { endTool } from './end-tool.ts';
import { FilePath, Success, TaskId } from './fields.ts';

const Input = v.strictObject({
  taskId: TaskId,
  from: FilePath('The file as it is now, as listFiles says it'),
  to: FilePath('Its new path, inside the same media folder'),
});

export const beginRenameFilesTaskV2 = beginTool(
  'beginRenameFilesTaskV2',
  'rename-files',
  'Begin to plan new names for files of a media folder. Nothing is renamed before the person confirms. Answers a task ID.',
);

export const addRenameFileToTaskV2: AgentTool<
  PlanToolContext,
  v.InferOutput<typeof Input>,
  v.InferOutput<typeof Success>
> = {
  name: 'addRenameFileToTaskV2',
  version: 1,
  description: 'Plan a new path for one file. Each file once, and no two files to one path.',
  input: Input,
  output: Success,
  risk: 'write',
  side_effects: true,
  limits: WRITE_LIMITS,
  network: [],
  references: { taskId: 'task', from: 'file' },
  shows: () => [],
  render: (output) => output,
  async execute({ taskId, from, to }, { context, idempotencyKey }) {
    await context.plans.addRename(taskId, { from, to }, idempotencyKey);
    return { ok: true, output: { success: true }, provenance: fromPlan(taskId) };
  },
};

export const endRenameFilesTaskV2 = endTool(
  'endRenameFilesTaskV2',
  'rename-files',
  'End the task: the person sees the plan of new names and confirms or cancels it.',
);
