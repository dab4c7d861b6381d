/** The tools by which agents look into folders and make plans of any kind. */
import * as v from 'valibot';
import { quiet } from '../agent/prompt/instruction-text.ts';
import { readTool, writeTool } from '../agent/tools/make-tool.ts';
import type { AgentTool, Provenance, ToolRun } from '../agent/tools/tool.ts';
import { openFolder, type MediaFolders } from './folder-files.ts';
import { PosixPathSchema } from './plan.ts';
import type { PlanKind } from './plan-kind.ts';
import type { Caller } from './plan-service.ts';

/** What the tools of plans may reach: folders that may be seen, and plans. */
export interface PlanToolContext {
  plans: {
    begin(task: string, folder: string, caller: Caller): Promise<string>;
    add(task: string, id: string, entry: object, key?: string): Promise<void>;
    end(task: string, id: string, key?: string): Promise<unknown>;
  };
  folders: MediaFolders;
  /** Who calls, as the plan names its maker. */
  by: string;
}

type Run = ToolRun<PlanToolContext>;

export const FolderPath = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(4096),
  v.description('The media folder: an absolute POSIX path, such as /media/tv/Show'),
);
export const filePath = (what: string) => v.pipe(PosixPathSchema, v.description(what));
export const counted = (what: string) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(100_000), v.description(what));

const TaskId = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(100),
  v.description('The task ID that the begin tool answered'),
);
const Success = v.strictObject({ success: v.literal(true) });

export const fromFolder = (folder: string): Provenance[] => [{ source: 'folder', ref: folder }];
const fromPlan = (id: string): Provenance[] => [{ source: 'plan', ref: id }];
const done = (id: string) => ({ ok: true as const, output: { success: true as const }, provenance: fromPlan(id) });

/** The three tools that make a plan of this kind: begin, add, end. None where agents make no such plans. */
export function toolsOf({ task, tools, paths }: PlanKind): AgentTool<PlanToolContext>[] {
  if (tools === null) return [];
  const sources = Object.entries(paths).filter(([, role]) => role === 'source');
  return [
    writeTool({
      ...tools.begin,
      input: v.strictObject({ mediaFolderPath: FolderPath }),
      output: v.strictObject({ taskId: v.string() }),
      limits: { calls: 20 },
      shows: ({ taskId }) => [{ kind: 'task', id: taskId }],
      render: ({ taskId }, handle) => ({ taskId: handle('task', taskId) }),
      async execute({ mediaFolderPath }, { context, idempotencyKey }: Run) {
        const taskId = await context.plans.begin(task, mediaFolderPath, {
          by: context.by,
          key: idempotencyKey,
          source: 'agent',
        });
        return { ok: true, output: { taskId }, provenance: fromPlan(taskId) };
      },
    }),
    writeTool({
      name: tools.add.name,
      description: tools.add.description,
      input: v.strictObject({ taskId: TaskId, ...tools.add.fields }),
      output: Success,
      references: { taskId: 'task', ...Object.fromEntries(sources.map(([field]) => [field, 'file'])) },
      async execute({ taskId, ...entry }, { context, idempotencyKey }: Run) {
        await context.plans.add(task, taskId, entry, idempotencyKey);
        return done(taskId);
      },
    }),
    writeTool({
      ...tools.end,
      input: v.strictObject({ taskId: TaskId }),
      output: Success,
      limits: { calls: 20 },
      references: { taskId: 'task' },
      async execute({ taskId }, { context, idempotencyKey }: Run) {
        await context.plans.end(task, taskId, idempotencyKey);
        return done(taskId);
      },
    }),
  ];
}

/** Files of one answer of listFiles: more are read with `offset`. */
const MOST = 500;

/** Every file below the folder, in the order of their paths. */
export const listFiles = readTool({
  name: 'listFiles',
  description: `The files below a media folder with their sizes in bytes, ${MOST} an answer, sorted by path.`,
  input: v.strictObject({
    mediaFolderPath: FolderPath,
    offset: v.optional(counted('How many files to leave out from the beginning'), 0),
  }),
  output: v.strictObject({
    files: v.array(v.strictObject({ path: v.string(), size: v.number() })),
    /** Of the whole folder. */
    total: v.number(),
  }),
  shows: ({ files }) => files.map(({ path }) => ({ kind: 'file', id: path })),
  render: ({ files, total }, handle) => ({
    total,
    files: files.map(({ path, size }) => ({ file: handle('file', path), path: quiet(path), size })),
  }),
  async execute({ mediaFolderPath, offset }, { context, signal }: Run) {
    const { folder, tree } = await openFolder(context.folders, mediaFolderPath);
    const files: { path: string; size: number }[] = [];
    for await (const { kind, path, size } of tree.list(signal)) {
      if (kind === 'file') files.push({ path: `${folder}/${path}`, size });
    }
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const output = { files: files.slice(offset, offset + MOST), total: files.length };
    return { ok: true, output, provenance: fromFolder(folder) };
  },
});
