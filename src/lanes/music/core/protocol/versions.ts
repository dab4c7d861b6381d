/** The audio that a track has and had, on the wire. */
import * as v from 'valibot';
import { Sha256 } from '#core/sync/fields.ts';

const Audio = { sha256: Sha256, size: v.nullable(v.number()), duration_ms: v.nullable(v.number()) };

/** Answer of GET /v1/catalog/tracks/:id/versions. Who did it is null where it was not written down yet. */
export const TrackVersionsSchema = v.object({
  track_id: v.string(),
  present: v.nullable(
    v.object({
      ...Audio,
      published_at: v.nullable(v.number()),
      published_by: v.nullable(v.string()),
      published_by_name: v.nullable(v.string()),
    }),
  ),
  former: v.array(
    v.object({
      ...Audio,
      ended_at: v.number(),
      ended_by: v.nullable(v.string()),
      ended_by_name: v.nullable(v.string()),
      reason: v.picklist(['replaced', 'unpublished']),
    }),
  ),
});
export type TrackVersions = v.InferOutput<typeof TrackVersionsSchema>;

/** Body of POST /v1/catalog/tracks/:id/restore. */
export const RestoreSchema = v.object({ sha256: Sha256 });
