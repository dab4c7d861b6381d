/** The ledger as a list to look through: a row for each stretch that was found. */
import type { Evidence } from './evidence.types.ts';

export interface EvidenceRow {
  source_id: string;
  title: string;
  /** '' for what is of no file. */
  path: string;
  url?: string;
  startLine: number;
  endLine: number;
  pages: readonly number[];
  /** Its beginning, on one line. */
  text: string;
  tools: readonly string[];
}

/** Characters of a row. */
const LENGTH = 200;

export const evidenceRows = (evidence: readonly Evidence[]): EvidenceRow[] =>
  evidence.flatMap(({ source_id, title, path, url, spans, tools }) =>
    spans.map(({ startLine, endLine, pages, text }) => ({
      ...(url === undefined ? {} : { url }),
      ...{ source_id, title, path, startLine, endLine, pages, tools },
      text: text
        .slice(0, LENGTH * 2)
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, LENGTH),
    })),
  );
