/** Plans on the wire. The names of `/api/...` and its fields are the specification's (shared/spec/ai-tools-plans.md). */
import * as v from 'valibot';
import {
  PlanSchema,
  PosixPathSchema,
  RecognizedFileSchema,
  RecognizeMediaFilePlanSchema,
  RenameEntrySchema,
  RenameFilesPlanSchema,
} from '../plan/plan.ts';
import { PlanStateSchema } from '../plan/plan-store.ts';

const PlanId = v.pipe(v.string(), v.minLength(1), v.maxLength(100));
const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a SHA-256 is 64 lower-case hex digits'));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Body of POST /api/updatePlan. */
export const UpdatePlanSchema = v.object({
  planId: PlanId,
  status: v.picklist(['completed', 'rejected'], 'completed or rejected'),
  /** With it, `completed` of a rename plan has the server carry it out first: the hash of the preview that the person saw. */
  previewHash: v.optional(Sha256),
});

const RenamedSchema = v.object({
  journalId: v.string(),
  renamed: Count,
  unchanged: Count,
  /** Directories, below the folder. */
  made: v.array(v.string()),
  removed: v.array(v.string()),
});
export const UpdatedPlanSchema = v.object({
  success: v.literal(true),
  plan: PlanSchema,
  /** Where the server carried it out. */
  outcome: v.optional(RenamedSchema),
});

export const PendingPlansSchema = v.object({ plans: v.array(RecognizeMediaFilePlanSchema) });
export const PendingRenamePlansSchema = v.object({ plans: v.array(RenameFilesPlanSchema) });

export const KeptPlanAnswerSchema = v.object({ plan: PlanSchema, state: PlanStateSchema });
export const PlansSchema = v.object({ items: v.array(KeptPlanAnswerSchema) });

/** Body of POST /v1/plans: a whole plan at once. */
export const NewPlanSchema = v.variant('task', [
  v.object({
    task: v.literal('recognize-media-file'),
    mediaFolderPath: PosixPathSchema,
    files: v.pipe(v.array(RecognizedFileSchema), v.maxLength(20_000)),
  }),
  v.object({
    task: v.literal('rename-files'),
    mediaFolderPath: PosixPathSchema,
    files: v.pipe(v.array(RenameEntrySchema), v.maxLength(20_000)),
  }),
]);

/** Body of PATCH /v1/plans/:id: the rows as the person has them now. */
export const PlanRowsSchema = v.object({
  files: v.union([
    v.pipe(v.array(RecognizedFileSchema), v.maxLength(20_000)),
    v.pipe(v.array(RenameEntrySchema), v.maxLength(20_000)),
  ]),
});

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

export const UndoneSchema = v.object({ journalId: v.string(), renamed: Count });

/** Body of POST /v1/plans/recognize. */
export const RecognizeFolderSchema = v.object({
  mediaFolderPath: PosixPathSchema,
  /** Answers to the questions of an earlier reading. */
  show: v.optional(v.pipe(v.string(), v.maxLength(128))),
  numbering: v.optional(v.pipe(v.string(), v.maxLength(40))),
  /** Whether the server's model is asked about what is unclear; 404 where it has none. */
  agent: v.optional(v.boolean(), false),
});
const QuestionSchema = v.object({
  kind: v.picklist(['which-show', 'which-numbering']),
  sentence: v.string(),
  options: v.array(v.object({ id: v.string(), label: v.string() })),
});
export const RecognizedFolderSchema = v.object({
  /** Null where no file is an episode. */
  planId: v.nullable(v.string()),
  show: v.object({ id: v.nullable(v.string()), title: v.nullable(v.string()), year: v.nullable(v.number()) }),
  questions: v.array(QuestionSchema),
  gaps: v.array(v.object({ season: Count, episode: Count })),
  duplicates: v.array(v.object({ season: Count, episode: Count, paths: v.array(v.string()) })),
  /** What the model was asked, what it said, and whether that held against the files and the catalog. */
  asked: v.array(
    v.object({
      question: v.string(),
      answer: v.nullable(v.string()),
      why: v.string(),
      refused: v.nullable(v.string()),
    }),
  ),
});

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

const PlanReadyFields = {
  taskId: v.string(),
  /** Where the server keeps the document. */
  planFilePath: v.string(),
};
/** Over the WebSocket, to whoever may edit: a plan can be reviewed. Hints, never repeated: what waits is read from the lists. */
export const RecognizeMediaFilePlanReadySchema = v.object({
  type: v.literal('RecognizeMediaFilePlanReady'),
  ...PlanReadyFields,
});
export const RenameFilesPlanReadySchema = v.object({ type: v.literal('RenameFilesPlanReady'), ...PlanReadyFields });
export type PlanReadyMessage =
  v.InferOutput<typeof RecognizeMediaFilePlanReadySchema> | v.InferOutput<typeof RenameFilesPlanReadySchema>;
