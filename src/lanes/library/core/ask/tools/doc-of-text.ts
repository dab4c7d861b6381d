/** A text that is of no file, as a document: its own hash is its name. */
import type { RagDoc, Section } from '../evidence/evidence.types.ts';
import { countLines } from '../../search/passages.ts';
import { withoutSecrets } from './rag-retrieve.ts';

export interface LooseText {
  text: string;
  title: string;
  language: string;
  url?: string;
  heading?: string;
  prose?: boolean;
  /** 0: below all that was searched for. */
  score?: number;
}

export async function docOfText(
  { sha256 }: { sha256(text: string): Promise<string> },
  { text, title, language, url, heading = '', prose = false, score = 0 }: LooseText,
): Promise<RagDoc> {
  const endLine = 1 + countLines(text);
  const section: Section = {
    ...{ start: 0, end: text.length, heading, startLine: 1, endLine },
    rendered: false,
    page: null,
    prose,
  };
  return withoutSecrets({
    source_id: await sha256(text),
    title,
    text,
    score,
    metadata: {
      ...{ path: '', copies: [], start: 0, end: text.length, startLine: 1, endLine, sections: [section] },
      ...{ date: null, language },
      ...(url === undefined ? {} : { url }),
    },
  });
}
