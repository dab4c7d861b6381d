import * as v from 'valibot';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { beginTool } from './begin-tool.ts';
import { fromPlan, WRITE_LIMITS, type PlanToolContext } from './context.ts';
import { endTool } from './end-tool.ts';
import { Counted, FilePath, Success, TaskId } from './fields.ts';

const Input = v.strictObject({
  taskId: TaskId,
  season: Counted('The season; 0 for specials'),
  episode: Counted('The number of the episode in its season'),
  path: FilePath('The video file, as listFiles says it'),
});

export const beginRecognizeTask = beginTool(
  'beginRecognizeTask',
  'recognize-media-file',
  'Begin to say which season and episode the files of a media folder are. Answers a task ID.',
);

export const addRecognizedMediaFile: AgentTool<
  PlanToolContext,
  v.InferOutput<typeof Input>,
  v.InferOutput<typeof Success>
> = {
  name: 'addRecognizedMediaFile',
  version: 1,
  description:
    'Say which season and episode one file is. Each file and each episode once; extras and samples not at all.',
  input: Input,
  output: Success,
  risk: 'write',
  side_effects: true,
  limits: WRITE_LIMITS,
  network: [],
  references: { taskId: 'task', path: 'file' },
  shows: () => [],
  render: (output) => output,
  async execute({ taskId, season, episode, path }, { context, idempotencyKey }) {
    await context.plans.addRecognized(taskId, { season, episode, path }, idempotencyKey);
    return { ok: true, output: { success: true }, provenance: fromPlan(taskId) };
  },
};

export const endRecognizeTask = endTool(
  'endRecognizeTask',
  'recognize-media-file',
  'End the task: the person sees the plan and confirms or cancels it.',
);
