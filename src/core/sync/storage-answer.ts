/** What a server says of its files: GET /v1/storage. */
import * as v from 'valibot';

export const StoragePassSchema = v.object({
  begun_at: v.number(),
  finished_at: v.nullable(v.number()),
  files: v.number(),
  bytes: v.number(),
  damaged: v.number(),
});

export const StorageAnswerSchema = v.object({
  /** Of all files that are known to be damaged. */
  damaged_count: v.number(),
  /** The first of them, by name. */
  damaged: v.array(v.object({ name: v.string(), wrong: v.string(), remedy: v.string(), found_at: v.number() })),
  /** The pass of the scrub that is under way, or the last one; null before the first. */
  scrub: v.nullable(StoragePassSchema),
  /** When the database was found to be older than what was last answered from it, and what is missing. */
  lost: v.nullable(v.object({ at: v.number(), sentence: v.string() })),
});
export type StorageAnswer = v.InferOutput<typeof StorageAnswerSchema>;
