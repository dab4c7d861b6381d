/**
 * A backup is one tar file, the same for both stores:
 *
 *   format.json                   what follows, to be refused early
 *   tables/<name>/<part>.jsonl    the rows of one moment, one JSON object a line
 *   blobs/<sha256>                audio and waiting uploads, each content once
 *   manifest.json                 rows and files; last, so that a file that was cut off has none
 */
import * as v from 'valibot';
import type { KeptFile } from '#server/lane-server.ts';

export const FORMAT = 1;

export const HeadSchema = v.object({
  format: v.literal(FORMAT, 'the backup is of another format'),
  /** Names of the migrations that made its tables. */
  migrations: v.array(v.string()),
});

export const FileSchema = v.object({
  root: v.picklist(['media', 'media-former', 'ingestion_uploads'] satisfies KeptFile['root'][]),
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

/** How many rows a backup has. */
export function rowsOf({ tables }: Manifest): number {
  return Object.values(tables).reduce((sum, count) => sum + count, 0);
}

/** The columns that tell the rows of a table apart. Of two tables that which the other refers to comes first. */
export type Tables = Readonly<Record<string, readonly string[]>>;

/** The server's own; each lane has further ones. */
export const TABLES: Tables = {
  ingestion_jobs: ['id'],
  ingestion_reviews: ['id'],
  users: ['id'],
  work_batches: ['id'],
  work_files: ['id'],
  learned: ['user_id', 'lane', 'kind', 'key'],
  audit: ['id'],
  changes: ['kind', 'entity_id'],
  feed_counter: ['id'],
  idempotency: ['user_id', 'key'],
  ingestion_review_jobs: ['review_id', 'job_id'],
  ingestion_steps: ['id'],
  ingestion_updates: ['seq'],
  invites: ['id'],
  meta: ['key'],
  model_requests: ['id'],
  model_usage: ['user_id', 'day'],
  rate_counters: ['name'],
  search_grams: ['gram', 'term'],
  search_postings: ['kind', 'entity_id', 'term'],
  search_terms: ['term'],
  tokens: ['token_hash'],
};

/** Kysely's own. */
export const isOwn = (table: string): boolean => table.startsWith('kysely_');

/** True when a system call failed with one of these codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
