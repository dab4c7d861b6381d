/** `documents cite --cases`: texts with tokens and the manifest of each, with citations and works cited out. */
import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { citeprocStyle } from '#lanes/documents/citeproc/citeproc-style.ts';
import { citeText, type CitationStyle, type CitedText } from '#lanes/documents/core/cite/cite-text.ts';
import { ManifestSchema } from '#core/documents/manifest-form.ts';

export const CiteCaseSchema = v.looseObject({
  id: v.string(),
  style: v.string(),
  locale: v.string(),
  text: v.string(),
  manifest: ManifestSchema,
});
export type CiteCase = v.InferOutput<typeof CiteCaseSchema>;

/** Styles by name and language, each made once. Throws as citeprocStyle. */
export function caseStyles(): (row: CiteCase) => Promise<CitationStyle> {
  const made = new Map<string, Promise<CitationStyle>>();
  return ({ style, locale }) => {
    const key = `${style} ${locale}`;
    const one = made.get(key) ?? citeprocStyle(style, locale);
    made.set(key, one);
    return one;
  };
}

export const answerCite = ({ text, manifest }: CiteCase, style: CitationStyle): CitedText =>
  citeText(text, manifest.entries, style);

/** One answer a line. Throws what the file system throws, and AccessionError `invalid`. */
export async function citeCases({ cases, out }: { cases: string; out: string }): Promise<number> {
  const rows = await readJsonLines(cases, CiteCaseSchema);
  const styleOf = caseStyles();
  const answers: ({ id: string } & CitedText)[] = [];
  for (const row of rows) answers.push({ id: row.id, ...answerCite(row, await styleOf(row)) });
  await writeFile(out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  return rows.length;
}
