/** What the files of a folder are recognised as: in plans, and where the server is asked for it. */
import * as v from 'valibot';
import { PosixPathSchema, type Plan, type PlanDocument } from '#core/plan/plan.ts';

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const RecognizedFileSchema = v.object({ season: Count, episode: Count, path: PosixPathSchema });
export type RecognizedFile = v.InferOutput<typeof RecognizedFileSchema>;
export type RecognizeMediaFilePlan = PlanDocument<'recognize-media-file', RecognizedFile>;
export const isRecognition = (plan: Plan): plan is RecognizeMediaFilePlan => plan.task === 'recognize-media-file';

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
  /** What to ask, one sentence. */
  sentence: v.string(),
  options: v.array(v.object({ id: v.string(), label: v.string() })),
});
export const RecognizedFolderSchema = v.object({
  /** Null where no file is an episode. */
  planId: v.nullable(v.string()),
  show: v.object({ id: v.nullable(v.string()), title: v.nullable(v.string()), year: v.nullable(v.number()) }),
  questions: v.array(QuestionSchema),
  /** Episodes that the catalog has between the first and the last of a season, but the folder has not. */
  gaps: v.array(v.object({ season: Count, episode: Count })),
  /** Paths of videos that are the same episode and not parts of it. */
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
