/** A snapshot of the catalog, as the server lists it and as a workstation takes it over. */
import * as v from 'valibot';
import { DownloadRequestSchema } from './catalog.ts';
import { Sha256 } from '#core/sync/fields.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The file GET /v1/catalog/snapshot/:name: gzip over an index of the catalog (core/music/compact). Never changes. */
export const SnapshotSchema = v.object({
  name: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
  /** Of the index (`INDEX_FORMAT`): a workstation takes its own alone. */
  format: Count,
  catalog_id: v.string(),
  /** Of the change feed: what came later is asked for from here. */
  cursor: v.string(),
  tracks: Count,
  /** Of the index; of the file. */
  bytes: Count,
  packed_bytes: Count,
  /** Of the index, before it was packed. */
  sha256: Sha256,
});
export type Snapshot = v.InferOutput<typeof SnapshotSchema>;

/** Answer of GET /v1/catalog/snapshot. `ahead`: changes between the given cursor and the snapshot. */
export const SnapshotAnswerSchema = v.object({ snapshot: v.nullable(SnapshotSchema), ahead: v.nullable(Count) });
export type SnapshotAnswer = v.InferOutput<typeof SnapshotAnswerSchema>;

/** What the index of a snapshot says about itself. */
export const SnapshotNoteSchema = v.object({
  catalog_id: v.string(),
  cursor: v.string(),
  requests: v.array(DownloadRequestSchema),
});
