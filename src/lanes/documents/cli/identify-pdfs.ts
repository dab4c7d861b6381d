import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AccessionError, failed, messageOf } from '#core/errors.ts';
import type { Cancel } from '#core/ports.ts';
import type { IdentifiedPdf } from '#lanes/documents/core/pdf/identify-pdf.ts';
import { whyNotWritable } from '#lanes/documents/core/write/writable.ts';
import { identifyPdfBytes } from '#lanes/documents/node/identify-pdf-bytes.ts';

type Answer = Pick<IdentifiedPdf, 'doi' | 'arxiv' | 'isbn' | 'evidence'> & {
  file: string;
  /** Whether its record could be written into it. */
  write: 'ok' | 'refused';
  /** Why nothing is known of it, else why nothing may be written into it; null where neither is so. */
  reason: string | null;
};
interface Answered {
  answer: Answer;
  /** It was not read, or has no text. */
  isUnread: boolean;
}

export interface PdfsIdentified {
  /** That were looked at, of `all`: fewer where it was cancelled, whose last one is among the unread then. */
  files: number;
  all: number;
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
  const answered: Answered[] = [];
  const files = await pdfsIn(directory);
  for (const file of files) {
    if (cancel.aborted) break;
    answered.push(await answerOf(directory, file, cancel));
  }
  const answers = answered.map(({ answer }) => answer);
  await writeFile(out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  const identified = answers.filter(({ doi, arxiv, isbn }) => doi !== null || arxiv !== null || isbn.length > 0);
  const unread = answered.flatMap(({ answer: { file, reason }, isUnread }) =>
    isUnread && reason !== null ? [{ file, reason }] : [],
  );
  return { files: answers.length, all: files.length, identified: identified.length, unread };
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

/** A PDF below the folder; one that cannot be read is answered with the reason. */
export async function answerOf(directory: string, file: string, cancel: Cancel): Promise<Answered> {
  try {
    const bytes = await readFile(join(directory, file));
    const whyNot = whyNotWritable(bytes);
    const { doi, arxiv, isbn, evidence, hasText } = await identifyPdfBytes(bytes, cancel);
    const reason = hasText ? whyNot : 'it has no text layer: its pages are pictures, or empty';
    return {
      answer: { file, doi, arxiv, isbn, evidence, write: whyNot === null ? 'ok' : 'refused', reason },
      isUnread: !hasText,
    };
  } catch (error) {
    const reason = error instanceof AccessionError ? error.failure.message : messageOf(error);
    return {
      answer: { file, doi: null, arxiv: null, isbn: [], evidence: [], write: 'refused', reason },
      isUnread: true,
    };
  }
}
