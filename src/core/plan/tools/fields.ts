/** Fields that several tools of plans take. */
import * as v from 'valibot';
import { PosixPathSchema } from '../plan.ts';

export const TaskId = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(100),
  v.description('The task ID that the begin tool answered'),
);

export const FolderPath = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(4096),
  v.description('The media folder: an absolute POSIX path, such as /media/tv/Show'),
);

export const FilePath = (what: string) => v.pipe(PosixPathSchema, v.description(what));

export const Counted = (what: string) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(100_000), v.description(what));

export const Success = v.strictObject({ success: v.literal(true) });
export const Began = v.strictObject({ taskId: v.string() });
