/** What was found, by source. */

/** The language of what the calculator says: its sentence is none of a document. */
export const CALCULATION = 'calculation';

/** A stretch of a source under one heading. Places are UTF-16 code units of the source's visible text. */
export interface Section {
  start: number;
  end: number;
  /** The headings that it stands under, outermost first, joined by " > "; in code the name of the symbol. '' where there is none. */
  heading: string;
  /** Lines of the file that hold it, from 1. */
  startLine: number;
  endLine: number;
  /** The text is not the file's own (a page without its tags), so that lines within the section are not known. */
  rendered: boolean;
  /** Of a PDF, from 1. */
  page: number | null;
  /** Sentences; false: lines of code. */
  prose: boolean;
}

export interface DocMetadata {
  /** In the library; '' for what is of no file. */
  path: string;
  url?: string;
  /** Other paths with the same content. */
  copies: string[];
  /** Of the text in the source, UTF-16 code units. */
  start: number;
  end: number;
  /** From 1. */
  startLine: number;
  endLine: number;
  sections: Section[];
  /** When the source says that it was written, as it says it; null where it does not. */
  date: string | null;
  language: string;
}

/** A document as `rag_retrieve` gives it. */
export interface RagDoc {
  /** Of the source's content, SHA-256 in lower-case hex. */
  source_id: string;
  title: string;
  text: string;
  pages?: number[];
  score: number;
  metadata: DocMetadata;
}

/** A piece of a source with its place. */
export interface EvidenceSpan {
  start: number;
  end: number;
  text: string;
  startLine: number;
  endLine: number;
  pages: number[];
  /** By place, each within `start` and `end`. */
  sections: Section[];
  /** The passages that were found in it, with what the tool gave each. */
  hits?: { start: number; end: number; score: number }[];
}

/** One source in the ledger: copies of a file are one, whatever their paths. */
export interface Evidence {
  source_id: string;
  title: string;
  path: string;
  url?: string;
  copies: string[];
  date: string | null;
  language: string;
  /** By place; none touches another. */
  spans: EvidenceSpan[];
  /** What was searched for when it was found, each once. */
  queries: string[];
  /** The tools that found it, each once. */
  tools: string[];
  /** The best that a tool gave it. */
  score: number;
}
