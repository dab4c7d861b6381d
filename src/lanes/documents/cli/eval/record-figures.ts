/** Figures of listings and of citations, each row with what is expected of it. */
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { answerCite, caseStyles, CiteCaseSchema } from '#lanes/documents/cli/cite-cases.ts';
import { answerImport, ImportCaseSchema } from '#lanes/documents/cli/import-cases.ts';
import { low, Tally } from './tally.ts';

const ListingRowSchema = v.looseObject({
  ...ImportCaseSchema.entries,
  listings: v.array(v.record(v.string(), v.unknown())),
  /** What may be left of an entity in a title. */
  note: v.optional(v.string()),
});
const CitationRowSchema = v.looseObject({
  ...CiteCaseSchema.entries,
  expect: v.object({ text: v.string(), works: v.array(v.string()), unknown: v.array(v.string()) }),
});

const folded = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.normalize('NFKC').replaceAll(/\s+/g, ' ').trim()
    : Array.isArray(value)
      ? value.map(folded)
      : value;
const same = (a: unknown, b: unknown): boolean => JSON.stringify(folded(a)) === JSON.stringify(folded(b));

/** `listings.right`. Throws as readJsonLines. */
export async function listingFigures(file: string): Promise<Record<string, number>> {
  const tally = new Tally();
  for (const row of await readJsonLines(file, ListingRowSchema)) {
    const got = answerImport(row);
    const right = row.listings.every((wanted, i) => {
      const fields: Record<string, unknown> = { ...got[i] };
      if (row.note !== undefined) fields['title'] = String(fields['title']).replaceAll('&z;', '');
      return Object.entries(wanted).every(([field, value]) => same(fields[field], value));
    });
    tally.count('listings.right', right && got.length === row.listings.length);
  }
  return tally.figures();
}

/** `citations.right`. Throws as readJsonLines. */
export async function citationFigures(file: string): Promise<Record<string, number>> {
  const tally = new Tally();
  const styleOf = caseStyles();
  for (const row of await readJsonLines(file, CitationRowSchema)) {
    const { text, works, unknown } = answerCite(row, await styleOf(row));
    tally.count('citations.right', same({ text, works, unknown: unknown.map(low) }, row.expect));
  }
  return tally.figures();
}
