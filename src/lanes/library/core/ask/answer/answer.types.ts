/** What may be said, and on what it stands. */

/** Text that stands in a source, as somebody claims. */
export interface Quote {
  source_id: string;
  text: string;
}

/** A sentence of an answer, with the quotes that carry it. */
export interface Sentence {
  text: string;
  quotes: Quote[];
  /** Which sub-questions it answers, by id; empty: not said. */
  answers?: string[];
}

/** A quote that was found in its source. */
export interface Citation {
  /** `1`, `2`, ... in the order in which the answer uses them. */
  label: string;
  source_id: string;
  path: string;
  url?: string;
  title: string;
  pages?: number[];
  /** Lines of the file, from 1. */
  startLine: number;
  endLine: number;
  /** Places in the source's visible text, UTF-16 code units. */
  start: number;
  end: number;
  /** As it stands in the source. */
  quote: string;
}

export const STATUSES = ['answered', 'partial', 'abstained'] as const;
export type AnswerStatus = (typeof STATUSES)[number];

/** A sentence as it is said, with the labels of what carries it. */
export interface SaidSentence {
  text: string;
  labels: string[];
  /** What the model had written, where its quote stands in its place; with why. */
  replaced?: { text: string; why: string[] };
}

/** Sources that differ on the same thing. */
export interface Conflict {
  /** Which sub-question, by id. */
  question: string;
  /** Labels of the citations that differ, in the order of the dates. */
  labels: string[];
  /** A sentence for a person: who says what, and which one a source calls replaced. */
  text: string;
}

export interface SourceListed {
  source_id: string;
  title: string;
  path: string;
  url?: string;
  date: string | null;
  labels: string[];
}

export interface Answer {
  status: AnswerStatus;
  /** With labels: `... [1] [2]`. */
  answer_text: string;
  sentences: SaidSentence[];
  citations: Citation[];
  /** Sentences for a person. */
  limitations: string[];
  /** What was not found, a sentence each. */
  missing: string[];
  /** Passages that are near what was not found; they are no answer. Their labels are empty. */
  nearest: Citation[];
  conflicts: Conflict[];
  sources: SourceListed[];
  /** 0 to 1, computed from the evidence. */
  confidence: number;
}
