import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { findIdentifiers } from '#lanes/documents/core/identify/identifiers.ts';
import { ownIdentifiers } from '#lanes/documents/core/identify/own.ts';

const RowSchema = v.object({ id: v.string(), text: v.string() });

export interface TextsIdentified {
  texts: number;
  /** Those with a DOI, an arXiv number or an ISBN of their own. */
  identified: number;
}

/**
 * `documents identify --texts`: one text a line, one answer a line. Throws what the file system throws, and
 * AccessionError `invalid` with the line.
 */
export async function identifyTexts({ texts, out }: { texts: string; out: string }): Promise<TextsIdentified> {
  const rows = await readJsonLines(texts, RowSchema);
  const answers = rows.map(({ id, text }) => {
    const found = findIdentifiers(text);
    const { doi, arxiv, isbn } = ownIdentifiers(text, found);
    return { id, doi, arxiv, isbn, found };
  });
  await writeFile(out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  const identified = answers.filter(({ doi, arxiv, isbn }) => doi !== null || arxiv !== null || isbn.length > 0);
  return { texts: answers.length, identified: identified.length };
}
