import type { Reason } from './reason.ts';
import { readRows, writeRows, type RowAnswer } from './row-answer.ts';
import type { Target } from './target.ts';

/** One answer that is offered. A lane adds what it shows beside the label. */
export interface ReviewOption {
  /** `album:<id>`, `track:<id>`, `accept` (all as proposed), `each` (one by one), `keep`, `replace`, or a lane's own. */
  id: string;
  /** The candidate's title, as the button is named. */
  label: string;
  /** 0..1. */
  confidence: number;
  reasons: Reason[];
}

/** One of the files that a question is about. A lane adds what its tables show. */
export interface ReviewFile {
  job_id: string;
  name: string;
  duration_ms: number | null;
  /** What `accept` takes for this file. */
  proposed?: (Target & { duration_ms: number | null }) | null;
}

/** The types that a lane fills in. */
export interface ReviewTypes {
  /** The lane's kinds of questions. */
  kind: string;
  variant: string;
  option: ReviewOption;
  file: ReviewFile;
  /** What was read off the files. */
  detected: object;
}

/** A question for a person. A question about a group belongs to every job of it and is answered once. */
export interface Review<R extends ReviewTypes = ReviewTypes> {
  schema_version: 1;
  id: string;
  /** The lane that asks; absent in rows from before 0.2: the first lane. */
  lane?: string;
  kind: R['kind'];
  /** What the question is about more closely; its own wording and table. */
  variant?: R['variant'];
  /** The job through which the API names it (the first of the group). */
  job_id: string;
  job_ids: string[];
  batch_id: string;
  group_id: string | null;
  question: string;
  /** One sentence: why it is not sure. */
  reasoning: string;
  options: R['option'][];
  /** What the agent would choose, and why; only advice: it opens no gate. `failed` says why it could not be asked. */
  advice?: ReviewAdvice | null;
  /** What was read off the files, for the editor and the search box. */
  detected: R['detected'];
  /** The files, for the side-by-side table. */
  files: R['file'][];
  created_at: number;
  resolved_at: number | null;
  resolved_by_user_id: string | null;
  /** Option id, `none`, `created:<album id>`, `rows:...` (row-answer.ts), `cancelled`, `withdrawn`, `undone`. */
  selected_option: string | null;
  /** SYNC-27: another answer came from the server when this one could not be taken back any more. */
  stands?: boolean;
}

export interface ReviewAdvice {
  /** Option id, `none`, or null: the agent leaves it to the person, or it failed. */
  option_id: string | null;
  /** The model's short why, at most 300 characters; text from outside. */
  why: string;
  /** `ollama/llama3.1:8b`. */
  model: string;
  recorded: boolean;
  /** Share 0..1 of the ballots that agreed. */
  agreement: number;
  /** What kept the agent from answering: one sentence. */
  failed: string | null;
}

/** What a person answers to a review. */
export type ReviewAnswer =
  | { kind: 'option'; option_id: string }
  | { kind: 'none' }
  | { kind: 'track'; track_id: string }
  | { kind: 'album'; album_id: string }
  /** Most files as the album or the proposal has them, single ones by a word of their own. */
  | ({ kind: 'rows' } & RowAnswer)
  /** The entry was just created in the editor. */
  | { kind: 'created'; album_id: string }
  | { kind: 'cancel' };

/** What the answer is stored as in `selected_option`. */
export function selectedOption(answer: ReviewAnswer): string {
  switch (answer.kind) {
    case 'option':
      return answer.option_id;
    case 'none':
      return 'none';
    case 'track':
      return `track:${answer.track_id}`;
    case 'album':
      return `album:${answer.album_id}`;
    case 'rows':
      return writeRows(answer);
    case 'created':
      return `created:${answer.album_id}`;
    case 'cancel':
      return 'cancelled';
  }
}

/** An answer that came through the server, in the form that a page would have sent it. */
export function answerOf(selected: string): ReviewAnswer {
  const [kind, id] = splitOption(selected);
  if (selected === 'none') return { kind: 'none' };
  if (selected === 'cancelled') return { kind: 'cancel' };
  const rows = readRows(selected);
  if (rows !== null) return { kind: 'rows', ...rows };
  if (kind === 'created' && id !== null) return { kind: 'created', album_id: id };
  return { kind: 'option', option_id: selected };
}

/** `album:al_1` -> ['album', 'al_1']. */
export function splitOption(option: string): [string, string | null] {
  const at = option.indexOf(':');
  return at < 0 ? [option, null] : [option.slice(0, at), option.slice(at + 1)];
}

/** Whether a person answered it; what was withdrawn or taken back says nothing. */
export function isAnswered({ resolved_at, selected_option }: Pick<Review, 'resolved_at' | 'selected_option'>): boolean {
  return resolved_at !== null && selected_option !== 'withdrawn' && selected_option !== 'undone';
}

/** Strong, Likely, Unsure: the three words for confidence. */
export function confidenceWord(confidence: number): 'Strong' | 'Likely' | 'Unsure' {
  if (confidence > 0.9) return 'Strong';
  return confidence >= 0.6 ? 'Likely' : 'Unsure';
}
