/** Answers of metadata sources in a folder, a file each. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { makeDirectory, readTextIfThere, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import type { AnswerCache } from '#lanes/documents/core/lookup/cache.ts';

const RowSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    schemaVersion: v.literal(1),
    key: v.string(),
    status: v.number(),
    headers: v.record(v.string(), v.string()),
    body: v.string(),
    at: v.number(),
  }),
);

/** Made where it is not there. What is no row of it is no answer. */
export function answerFolder(folder: string): AnswerCache {
  const fileOf = (key: string): string => join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  return {
    async get(key) {
      const { success, output } = v.safeParse(RowSchema, await readTextIfThere(fileOf(key)));
      return success && output.key === key ? output : null;
    },
    async put(key, answer) {
      await makeDirectory(folder);
      await writeFileAtomic(fileOf(key), `${JSON.stringify({ schemaVersion: 1, key, ...answer })}\n`);
    },
  };
}
