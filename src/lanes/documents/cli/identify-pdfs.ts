import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { AccessionError, failed, messageOf } from '#core/errors.ts';
import type { PdfText } from '#core/ingest/pdf.ts';
import type { Cancel } from '#core/ports.ts';
import { identifyPdf, type IdentifiedPdf } from '#lanes/documents/core/pdf/identify-pdf.ts';

type Answer = Pick<IdentifiedPdf, 'doi' | 'arxiv' | 'isbn' | 'evidence'> & {
  file: string;
  /** Why nothing is known of it; null where it was read. */
  reason: string | null;
};

export interface PdfsIdentified {
  files: number;
  /** Those with a DOI, an arXiv number or an ISBN of their own. */
  identified: number;
  /** Those that could not be read, or have no text. */
  unread: { file: string; reason: string }[];
}

/**
 * `documents identify --pdfs`: each PDF of a folder and of the folders in it, by name. One that cannot be read is named
 * with the reason, the others are not lost. Throws AccessionError `file_unreadable` where the folder cannot be listed.
 */
export async function identifyPdfs(options: {
  directory: string;
  out: string;
  cancel: Cancel;
}): Promise<PdfsIdentified> {
  const { directory, out, cancel } = options;
  const reader = nodePdfText();
  const answers: Answer[] = [];
  for (const file of await pdfsIn(directory)) {
    if (cancel.aborted) break;
    answers.push(await answerOf(reader, directory, file, cancel));
  }
  await writeFile(out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  const identified = answers.filter(({ doi, arxiv, isbn }) => doi !== null || arxiv !== null || isbn.length > 0);
  const unread = answers.flatMap(({ file, reason }) => (reason === null ? [] : [{ file, reason }]));
  return { files: answers.length, identified: identified.length, unread };
}

async function pdfsIn(directory: string): Promise<string[]> {
  try {
    const all = await readdir(directory, { recursive: true });
    return all.filter((name) => /\.pdf$/i.test(name)).toSorted();
  } catch (error) {
    throw failed('file_unreadable', `"${directory}" cannot be listed: ${messageOf(error)}.`, {
      remedy: 'Check the path.',
    });
  }
}

async function answerOf(reader: PdfText, directory: string, file: string, cancel: Cancel): Promise<Answer> {
  try {
    const bytes = await readFile(join(directory, file));
    if (bytes.length === 0) throw failed('file_damaged', 'it is empty');
    const pdf = await reader.open(bytes);
    try {
      const { doi, arxiv, isbn, evidence, hasText } = await identifyPdf(pdf, cancel);
      return {
        file,
        doi,
        arxiv,
        isbn,
        evidence,
        reason: hasText ? null : 'it has no text layer: its pages are pictures, or empty',
      };
    } finally {
      await pdf.close();
    }
  } catch (error) {
    const reason = error instanceof AccessionError ? error.failure.message : messageOf(error);
    return { file, doi: null, arxiv: null, isbn: [], evidence: [], reason };
  }
}
