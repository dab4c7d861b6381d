/**
 * A doubt of a folder: what its deterministic reading would ask a person, put to the agent first.
 *
 *   VIDEO-71 the agent is asked about what the reading leaves open and nothing else: which of two shows, which of two
 *            ways to count, and which missing episode a file without a number is. Its answer is a hypothesis: the folder is
 *            read again with it, and what that finds decides
 */
import * as v from 'valibot';
import type { FolderFile, FolderQuestion, FolderReading } from '../folder-reading.ts';
import type { FolderAnswers } from '../folder/read-folder.ts';
import type { Show } from '../show-catalog.ts';

/** What a folder is read from; complete, so that it can be read again with an answer. */
export interface FolderInput {
  mediaFolderPath: string;
  files: readonly FolderFile[];
  shows: readonly Show[];
  /** What a person said already. */
  answers: FolderAnswers;
}

const Fact = v.union([v.string(), v.number(), v.null()]);
const OptionSchema = v.object({
  /** Of the question, or `1x05` for an episode. */
  id: v.string(),
  label: v.string(),
  /** What reading the folder with it finds, 0..1. */
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  facts: v.record(v.string(), Fact),
});
export type DoubtOption = v.InferOutput<typeof OptionSchema>;

/** The input of the workflow: JSON, complete, so that a workflow resumes with nothing else. */
export const FolderDoubtSchema = v.object({
  /** The same for the same folder, question and options. */
  key: v.string(),
  kind: v.picklist(['which-show', 'which-numbering', 'which-episode']),
  mediaFolderPath: v.string(),
  question: v.string(),
  /** Titles or ids that the catalog is asked for before the model is. */
  shows: v.array(v.string()),
  /** Absolute paths with what was read of them. The first is the one that is asked about, where it is one. */
  files: v.pipe(
    v.array(v.object({ path: v.string(), name: v.string(), folder: v.nullable(v.string()), says: v.string() })),
    v.minLength(1),
  ),
  options: v.array(OptionSchema),
  /** From here on nobody is asked. */
  threshold: v.number(),
});
export type FolderDoubt = v.InferOutput<typeof FolderDoubtSchema>;

export const FolderActionSchema = v.strictObject({
  type: v.literal('AnswerFolder'),
  option_id: v.string(),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});
export type FolderAction = v.InferOutput<typeof FolderActionSchema>;

/** What a reading comes to: more planned, fewer collisions and fewer gaps is the better hypothesis. */
export interface Fit {
  /** Videos that are episodes, surely enough to be planned. */
  planned: number;
  /** Episodes that two files are. */
  collisions: number;
  /** Episodes that are missing in between. */
  missing: number;
  /** Videos that are no extras. */
  videos: number;
}

export function fitOf(reading: FolderReading, least: number): Fit {
  const videos = reading.files.filter(({ class: kind }) => kind !== 'companion' && kind !== 'extra');
  const planned = videos.filter(({ class: kind, confidence }) => kind === 'episode' && confidence >= least);
  const { duplicates, gaps } = reading;
  return { planned: planned.length, collisions: duplicates.length, missing: gaps.length, videos: videos.length };
}

/** 0..1; collisions cost a file each, gaps a little. */
export function evidenceOf({ planned, collisions, missing, videos }: Fit): number {
  if (videos === 0) return 0;
  const share = (planned - collisions) / videos - 0.1 * Math.min(1, missing / Math.max(1, planned));
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000;
}

export function answersWith(answers: FolderAnswers, kind: FolderQuestion['kind'], id: string): FolderAnswers {
  return kind === 'which-show' ? { ...answers, show: id } : { ...answers, numbering: id };
}
