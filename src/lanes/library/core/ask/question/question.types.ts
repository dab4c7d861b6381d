/** A question as its parts, and what is to be done about it. */

/** What an answer has to hold: a name for "who", an amount for "how many". `thing`: anything that has the words. */
export const WANTS = ['person', 'time', 'place', 'number', 'reason', 'manner', 'choice', 'yes or no', 'thing'] as const;
export type Wanted = (typeof WANTS)[number];

export interface QuestionTerm {
  /** As the library's index has it (a stem). */
  term: string;
  /** As the question says it. */
  word: string;
  /** How much it tells: the inverse document frequency, where the library was asked for it. */
  weight: number;
  kind: 'word' | 'name' | 'number';
}

export interface SubQuestion {
  /** `q1`, `q2`, ... in the order of the question. */
  id: string;
  /** A question that can be understood alone. */
  text: string;
  wants: Wanted;
  terms: QuestionTerm[];
}

export interface ToolRequest {
  name: string;
  input: Record<string, unknown>;
}

/** The run ends when one of these is reached, beside the bounds that the person set. */
export interface StopIf {
  confidence?: number;
  iter?: number;
  tokens?: number;
}

export interface AskPlan {
  subquestions: SubQuestion[];
  /** Further wordings that are searched for; they are not answered. */
  expanded_queries: string[];
  requested_tools: ToolRequest[];
  stop_if: StopIf;
}

/** More sub-questions than that are not taken. */
export const MOST_SUBQUESTIONS = 8;
