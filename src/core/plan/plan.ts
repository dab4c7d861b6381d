/**
 * Plans: proposed changes that a person confirms. The two documents are the contract of
 * shared/spec/ai-tools-plans.md, word for word and nothing more; what else is known of a plan stands beside it.
 */
import * as v from 'valibot';

/** An absolute POSIX path without `.`, `..`, empty or trailing segments. On a workstation its root is the picked folder's name. */
export const PosixPathSchema = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.regex(/^(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)+$/, 'an absolute POSIX path, such as /media/Show/a.mkv'),
);

export const PLAN_STATUSES = ['pending', 'completed', 'rejected'] as const;
const PlanStatusSchema = v.picklist(PLAN_STATUSES);
export type PlanStatus = v.InferOutput<typeof PlanStatusSchema>;

const Number0 = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const RecognizedFileSchema = v.object({ season: Number0, episode: Number0, path: PosixPathSchema });
export type RecognizedFile = v.InferOutput<typeof RecognizedFileSchema>;

export const RecognizeMediaFilePlanSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  task: v.literal('recognize-media-file'),
  status: PlanStatusSchema,
  mediaFolderPath: PosixPathSchema,
  files: v.array(RecognizedFileSchema),
});
export type RecognizeMediaFilePlan = v.InferOutput<typeof RecognizeMediaFilePlanSchema>;

export const RenameEntrySchema = v.object({ from: PosixPathSchema, to: PosixPathSchema });
export type RenameEntry = v.InferOutput<typeof RenameEntrySchema>;

export const RenameFilesPlanSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  task: v.literal('rename-files'),
  status: PlanStatusSchema,
  mediaFolderPath: PosixPathSchema,
  files: v.array(RenameEntrySchema),
});
export type RenameFilesPlan = v.InferOutput<typeof RenameFilesPlanSchema>;

/** `{taskId}.plan.json` and a row of IndexedDB alike. */
export const PlanSchema = v.variant('task', [RecognizeMediaFilePlanSchema, RenameFilesPlanSchema]);
export type Plan = v.InferOutput<typeof PlanSchema>;
export type PlanTask = Plan['task'];
