/**
 * What the routes answer, as the client reads it. Unknown fields are dropped, so that a newer server may say
 * more than this workstation understands.
 */
import * as v from 'valibot';
import {
  AlbumSchema,
  ArtistSchema,
  DownloadRequestSchema,
  ImportResultSchema,
  MirroredJobSchema,
  StepSchema,
  StoredTrackSchema,
} from './protocol.ts';

/** Lists are `{ items, next_cursor }`; `next_cursor` is null at the end. */
export function listOf<T extends v.GenericSchema>(item: T) {
  return v.object({ items: v.array(item), next_cursor: v.nullable(v.string()) });
}

export const HealthSchema = v.looseObject({ status: v.optional(v.string()) });

export const SearchAnswerSchema = v.object({
  artists: v.array(ArtistSchema),
  albums: v.array(AlbumSchema),
  tracks: v.array(StoredTrackSchema),
});
export type SearchAnswer = v.InferOutput<typeof SearchAnswerSchema>;

export const AlbumAnswerSchema = v.object({ ...AlbumSchema.entries, tracks: v.array(StoredTrackSchema) });
export type AlbumAnswer = v.InferOutput<typeof AlbumAnswerSchema>;

/** A rejected import names its bad rows in the error; nothing is half imported. */
export const ImportAnswerSchema = ImportResultSchema;

export const DownloadRequestAnswerSchema = v.object({
  id: DownloadRequestSchema.entries.id,
  status: DownloadRequestSchema.entries.status,
});

export const JobAnswerSchema = v.object({ ...MirroredJobSchema.entries, reasoning_steps: v.optional(v.array(StepSchema), []) });

/** A question as the API lists it: asked once, for all of `job_ids`. */
export const ReviewAnswerSchema = v.object({
  job_id: v.string(),
  job_ids: v.array(v.string()),
  question: v.string(),
  reasoning: v.string(),
  options: v.array(v.object({ id: v.string(), label: v.string(), confidence: v.number() })),
});
