/**
 * A backup is one tar file, the same for both stores:
 *
 *   format.json                   what follows, to be refused early
 *   tables/<name>/<part>.jsonl    the rows of one moment, one JSON object a line
 *   blobs/<sha256>                audio and waiting uploads, each content once
 *   manifest.json                 rows and files; last, so that a file that was cut off has none
 */
import * as v from 'valibot';

export const FORMAT = 1;

export const HeadSchema = v.object({
  format: v.literal(FORMAT, 'the backup is of another format'),
  /** Names of the migrations that made its tables. */
  migrations: v.array(v.string()),
});

export const FileSchema = v.object({
  root: v.picklist(['media', 'media-former', 'ingestion_uploads']),
  /** Under the root. */
  path: v.string(),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});
export type BackupFile = v.InferOutput<typeof FileSchema>;

export const ManifestSchema = v.object({
  tables: v.record(v.string(), v.number()),
  files: v.array(FileSchema),
  /** Files that were gone or not what the catalog says of them; they are not in the backup. */
  lost: v.array(FileSchema),
});
export type Manifest = v.InferOutput<typeof ManifestSchema>;

/** Tables that others refer to; the rest may come in any order after them. */
export const REFERRED = [
  'artists',
  'albums',
  'tracks',
  'ingestion_jobs',
  'ingestion_reviews',
  'users',
  'work_batches',
  'shows',
];

/** Kysely's own. */
export const isOwn = (table: string): boolean => table.startsWith('kysely_');

/** True when a system call failed with one of these codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
