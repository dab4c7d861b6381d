/**
 * What the routes answer, as the client reads it. Unknown fields are dropped, so that a newer server may say
 * more than this workstation understands.
 */
import * as v from 'valibot';
import {
  AlbumSchema,
  ArtistSchema,
  DownloadRequestSchema,
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

/** The row's version, for `If-Match`. */
const version = v.optional(v.number());

export const ArtistAnswerSchema = v.object({
  ...ArtistSchema.entries,
  albums: v.optional(v.array(AlbumSchema), []),
  version,
});

/** An album in a list, with how many of its tracks have audio. */
export const AlbumItemSchema = v.object({ ...AlbumSchema.entries, available_count: v.optional(v.number(), 0) });

export const AlbumAnswerSchema = v.object({ ...AlbumSchema.entries, tracks: v.array(StoredTrackSchema), version });

export const TrackAnswerSchema = v.object({
  ...StoredTrackSchema.entries,
  album: v.optional(v.nullable(v.string()), null),
  year: v.optional(v.nullable(v.number()), null),
  /** Path under the media directory; null while it is missing. */
  output_file_path: v.optional(v.nullable(v.string()), null),
  audio_duration_ms: v.optional(v.nullable(v.number()), null),
  version,
});

export const DownloadRequestAnswerSchema = v.object({
  id: DownloadRequestSchema.entries.id,
  status: DownloadRequestSchema.entries.status,
});

export const JobAnswerSchema = v.object({
  ...MirroredJobSchema.entries,
  reasoning_steps: v.optional(v.array(StepSchema), []),
});
