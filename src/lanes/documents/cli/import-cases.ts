/** `documents import --cases`: pasted texts with the form that they are in, their listings out. */
import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import type { Listing } from '#lanes/documents/core/listings/listing.ts';
import { importListings } from '#lanes/documents/core/listings/import-listings.ts';

export const ImportCaseSchema = v.looseObject({
  id: v.string(),
  form: v.picklist(['scholar', 'xml']),
  text: v.string(),
});

export const answerImport = ({ text, form }: v.InferOutput<typeof ImportCaseSchema>): Listing[] =>
  importListings(text, form).listings;

/** One answer a line. Throws what the file system throws, and AccessionError `invalid` with the line. */
export async function importCases({ cases, out }: { cases: string; out: string }): Promise<number> {
  const rows = await readJsonLines(cases, ImportCaseSchema);
  const answers = rows.map((row) => ({ id: row.id, listings: answerImport(row) }));
  await writeFile(out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  return rows.length;
}
