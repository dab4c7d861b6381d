import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import type { NameReading } from '#lanes/video/core/folder-reading.ts';
import { readName } from '#lanes/video/core/names/read-name.ts';
import { readSeasonFolder } from '#lanes/video/core/names/season-folder.ts';

/** A row of names: what else is in it (where it is from, what is expected) is not read. */
export const NameRowSchema = v.object({
  id: v.union([v.string(), v.number()]),
  input: v.string(),
  /** `name`: a slash in it parts no folders. `folder`: the name of a folder, within `parent`. */
  kind: v.optional(v.string()),
  parent: v.optional(v.nullable(v.string())),
  mixed_library: v.optional(v.boolean()),
});
export type NameRow = v.InferOutput<typeof NameRowSchema>;

/** One line of the answer. */
export type NameAnswer = Pick<NameRow, 'id'> &
  Pick<NameReading, 'title' | 'season' | 'episodes' | 'absolute' | 'year' | 'date' | 'part'> & { type: string };

/** What a row's name says. */
export function answerName({ id, input, kind, parent, mixed_library }: NameRow): NameAnswer {
  const { type, title, season, episodes, absolute, year, date, part } = readName(input, { isPath: kind !== 'name' });
  if (kind !== 'folder') return { id, type, title, season, episodes, absolute, year, date, part };
  const number = readSeasonFolder(input, { parent: parent ?? null, mixed: mixed_library ?? false });
  return { id, type, title, season: number, episodes: [], absolute: [], year, date: null, part: null };
}

/**
 * `recognize --names`: one row a line, one answer a line. Throws what the file system throws, and AccessionError
 * `invalid` with the line.
 */
export async function recognizeNames(options: { names: string; out: string }): Promise<{ names: number }> {
  const rows = await readJsonLines(options.names, NameRowSchema);
  await writeFile(options.out, rows.map((row) => `${JSON.stringify(answerName(row))}\n`).join(''));
  return { names: rows.length };
}
