/**
 * The manifest: what is known of the documents of a folder, in a file that other programs read, too (version 1 as
 * specified). Fields of others stay.
 */
import * as v from 'valibot';
import { DocumentRecordSchema } from './record.ts';

/** Names of the manifest of a folder and of what is kept beside it. */
export const MANIFEST_NAME = 'manifest.json';
export const STATE_NAME = 'manifest.state.json';

export const EntrySchema = v.looseObject({
  /** SHA-256 of the file as it first came: the same after it was written into. */
  id: v.string(),
  filename: v.string(),
  ...DocumentRecordSchema.entries,
  processed: v.boolean(),
  retrieved_at: v.string(),
  notes: v.string(),
  tags: v.array(v.string()),
});
export type ManifestEntry = v.InferOutput<typeof EntrySchema>;

const RenamedSchema = v.looseObject({ id: v.string(), from: v.string(), to: v.string() });
export const ManifestSchema = v.looseObject({
  version: v.literal(1),
  entries: v.array(EntrySchema),
  /** The newest name of each file, and the one that it first had. */
  renames: v.optional(v.array(RenamedSchema)),
});
export type Manifest = v.InferOutput<typeof ManifestSchema>;
export type Renamed = v.InferOutput<typeof RenamedSchema>;

/** `manifest.state.json`: which content is which document since it was written into, and what is told of each. */
export const ManifestStateSchema = v.looseObject({
  version: v.literal(1),
  /** Ids by the SHA-256 of what a file is after it was written into. */
  written: v.record(v.string(), v.string()),
  /** By id: the record as CSL-JSON (`csl`), its `source`, and the `evidence`. */
  documents: v.optional(v.record(v.string(), v.looseObject({}))),
});
export type ManifestState = v.InferOutput<typeof ManifestStateSchema>;
