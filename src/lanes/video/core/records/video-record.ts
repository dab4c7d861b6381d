/**
 * What a confirmed recognition is written down as: one record a video file, which stays with the file over renames and
 * later recognitions. Others read it (schedules of channels, exports, scripts): fields are added, never changed.
 */
import * as v from 'valibot';
import { PlanSourceSchema, PosixPathSchema } from '#core/plan/plan.ts';
import { changesPageOf } from '#core/sync/fields.ts';

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Time = v.number();

const ShowOfRecordSchema = v.object({
  /** Of the catalog of shows; null where the show is known by the files' names alone. */
  id: v.nullable(v.string()),
  title: v.nullable(v.string()),
  year: v.nullable(v.number()),
});
export type ShowOfRecord = v.InferOutput<typeof ShowOfRecordSchema>;

/** What is said of a file. */
const SaidEntries = {
  show: ShowOfRecordSchema,
  /** 0: specials. */
  season: Count,
  /** Ascending, at least one; several where one file has several episodes. */
  episodes: v.pipe(v.array(Count), v.minLength(1)),
  /** Part of an episode that is split over files: 1, 2, ...; null for a whole one. */
  part: v.nullable(Count),
  /** Of the episode. */
  title: v.nullable(v.string()),
  source: PlanSourceSchema,
  /** 0..1, as it was when the plan was made. */
  confidence: v.number(),
  /** The recognition plan that was confirmed. */
  plan_id: v.string(),
  /** Milliseconds since the epoch. */
  confirmed_at: Time,
  /** Who confirmed it, as the history of plans names them. */
  confirmed_by: v.string(),
};

/** What a file is. Version 1: the first. */
const FileEntries = {
  schema_version: v.literal(1),
  /** Stays the same while the file is known. */
  id: v.string(),
  /** The folder of the plan, and the file in it: absolute POSIX paths, on a workstation from the folder's name on. */
  folder: PosixPathSchema,
  path: PosixPathSchema,
  /** Bytes. */
  size: v.number(),
  /** Milliseconds since the epoch; 0 where unknown. */
  modified: Time,
  /** Length as its container says it; null where that is not known. */
  seconds: v.nullable(v.number()),
};

/** What one plan says of a file. */
export const ClaimSchema = v.object(SaidEntries);
export type Claim = v.InferOutput<typeof ClaimSchema>;

export const VideoRecordSchema = v.object({ ...FileEntries, ...SaidEntries });
export type VideoRecord = v.InferOutput<typeof VideoRecordSchema>;

/** A row as it is kept: what every confirmed plan says of the file, in the order of confirming. */
export const KeptVideoSchema = v.object({ ...FileEntries, claims: v.pipe(v.array(ClaimSchema), v.minLength(1)) });
export type KeptVideo = v.InferOutput<typeof KeptVideoSchema>;

/** All records of a folder or of everything, as they are downloaded: by page, command line and HTTP alike. */
export const VideoExportSchema = v.object({
  schema_version: v.literal(1),
  exported_at: Time,
  records: v.array(VideoRecordSchema),
});
export type VideoExport = v.InferOutput<typeof VideoExportSchema>;

/** Of the change feed: `put` carries the whole record; `delete` says that it was taken back. */
export const VideoChangesPageSchema = changesPageOf(v.string());

/** What counts of what was said: a person's newest word, else the newest. */
export function standing(claims: readonly Claim[]): Claim | undefined {
  return claims.findLast(({ source }) => source === 'person') ?? claims.at(-1);
}

/** Null for a row that nothing is said of. */
export function recordOf({ claims, ...file }: KeptVideo): VideoRecord | null {
  const said = standing(claims);
  return said === undefined ? null : { ...file, ...said };
}

/** Ordered by path. */
export function exportOf(videos: readonly KeptVideo[], now: number): VideoExport {
  const records = videos.flatMap((row) => recordOf(row) ?? []).sort((a, b) => (a.path < b.path ? -1 : 1));
  return { schema_version: 1, exported_at: now, records };
}
