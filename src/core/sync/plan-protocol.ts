/** Plans on the wire. The names of `/api/...` and its fields are the contract with other programs (docs/spec/plans.md). */
import * as v from 'valibot';
import { documentSchema, type PlanKind, type PlanKinds } from '../plan/plan-kind.ts';
import { MOST_FILES } from '../plan/plan-rules.ts';
import { PlanSourceSchema, PosixPathSchema } from '../plan/plan.ts';

const PlanId = v.pipe(v.string(), v.minLength(1), v.maxLength(100));
const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a SHA-256 is 64 lower-case hex digits'));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Body of POST /api/updatePlan. */
export const UpdatePlanSchema = v.object({
  planId: PlanId,
  status: v.picklist(['completed', 'rejected'], 'completed or rejected'),
  /** With it, `completed` of a plan that can be carried out has the server do that first: the hash of the preview that the person saw. */
  previewHash: v.optional(Sha256),
});

const RenamedSchema = v.object({
  journalId: v.string(),
  renamed: Count,
  unchanged: Count,
  /** Directories, below the folder. */
  made: v.array(v.string()),
  removed: v.array(v.string()),
  /** What is said of files besides: a PDF that may not be written into, and why. */
  said: v.optional(v.array(v.object({ path: v.string(), sentence: v.string() }))),
});

/** Answers and bodies that carry plans, of the kinds that are known there. */
export function planSchemas<Kind extends PlanKind>({ all, schema, kept }: PlanKinds<Kind>) {
  return {
    updated: v.object({
      success: v.literal(true),
      plan: schema,
      /** Where the server carried it out. */
      outcome: v.optional(RenamedSchema),
      /** Of a recognition: files that have its record now, and files of which a person's earlier word stands. */
      recorded: v.optional(v.object({ written: Count, kept: Count })),
    }),
    kept,
    list: v.object({ items: v.array(kept) }),
    /** Body of POST /v1/plans: a whole plan at once. */
    fresh: v.variant(
      'task',
      all.map(({ task, entry }) =>
        v.object({
          task: v.literal(task),
          mediaFolderPath: PosixPathSchema,
          files: filesOf(entry),
        }),
      ),
    ),
    /** Body of PATCH /v1/plans/:id: the rows as the person has them now. */
    rows: v.object({ files: v.union(all.map(({ entry }) => filesOf(entry))) }),
  };
}

const filesOf = (entry: v.GenericSchema<unknown, object>) => v.pipe(v.array(entry), v.maxLength(MOST_FILES));

/** Those of one kind that wait for a person. */
export const pendingPlansSchema = (kind: PlanKind) => v.object({ plans: v.array(documentSchema(kind)) });

export const ProblemSchema = v.object({
  code: v.string(),
  row: v.nullable(Count),
  path: v.string(),
  message: v.string(),
  remedy: v.string(),
});

export const PlanPreviewSchema = v.object({
  /** `previewHash` of POST /api/updatePlan. */
  hash: Sha256,
  problems: v.array(ProblemSchema),
  /** What would be done, step by step; empty where there are problems. */
  order: v.array(v.unknown()),
});

export const UndoneSchema = v.object({
  /** Null where no file was renamed: a recognition was taken back. */
  journalId: v.nullable(v.string()),
  renamed: Count,
  /** Files whose records are as before the recognition. */
  recorded: v.optional(Count),
});

/** The answer 409 of an undo: what is in its way, and where files are that it left half-way. */
export const UndoRefusedSchema = v.object({
  error: v.object({
    message: v.string(),
    remedy: v.string(),
    problems: v.optional(v.array(ProblemSchema), []),
    standing: v.optional(v.array(v.object({ from: v.string(), to: v.string(), now: v.nullable(v.string()) })), []),
  }),
});

const PLAN_RESULTS = [
  'renamed',
  'written',
  'undone',
  'rolled-back',
  'abandoned',
  'interrupted',
  'completed',
  'taken-back',
  'rejected',
] as const;

/** What became of a plan. */
const PastPlanSchema = v.object({
  id: v.string(),
  task: v.string(),
  mediaFolderPath: v.string(),
  /** Entries of the plan. */
  files: Count,
  /** Names of people, and of whom the system knows on the command line. */
  made_by: v.string(),
  /** Whose word its entries are; null of plans that do not say it. */
  source: v.nullable(PlanSourceSchema),
  done_by: v.string(),
  /** Milliseconds: when it came to this. */
  at: v.number(),
  /** `completed`: confirmed, and nothing was renamed by the server. */
  result: v.picklist(PLAN_RESULTS),
  can_undo: v.boolean(),
  problem: v.nullable(v.string()),
});
export type PastPlan = v.InferOutput<typeof PastPlanSchema>;

/** GET /v1/plans/history */
export const PlanHistorySchema = v.object({
  items: v.array(PastPlanSchema),
  /** There are older ones. */
  more: v.boolean(),
});
export type PlanHistory = v.InferOutput<typeof PlanHistorySchema>;

export const FoldersSchema = v.object({ folders: v.array(v.string()) });

/** GET /v1/tools: what an agent outside may call. */
export const ToolsSchema = v.object({
  tools: v.array(
    v.object({
      name: v.string(),
      description: v.string(),
      /** JSON Schema of the body of POST /v1/tools/{name}. */
      parameters: v.record(v.string(), v.unknown()),
    }),
  ),
});

/** `RenameFilesPlanReady` for `rename-files`. */
export function planReadyType(task: string): `${string}PlanReady` {
  const words = task.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}PlanReady`;
}

/** Over the WebSocket, to whoever may edit: a plan can be reviewed. Hints, never repeated: what waits is read from the lists. */
export const PlanReadySchema = v.object({
  type: v.custom<`${string}PlanReady`>((type) => typeof type === 'string' && type.endsWith('PlanReady')),
  taskId: v.string(),
  /** Where the server keeps the document. */
  planFilePath: v.string(),
});
export type PlanReadyMessage = v.InferOutput<typeof PlanReadySchema>;
