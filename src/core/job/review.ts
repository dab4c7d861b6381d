import type { AlbumOption, Reason, TrackOption } from '../music/match.types.ts';

/**
 * A question for a person. An album question belongs to every job of its group and is answered once.
 *   track     which of these tracks is this file?
 *   tracks    one question about files of one album that are in the same doubt: are they these tracks?
 *   album     which album are these files?
 *   no_match  nothing found: cancel, search with other words, or create the entry
 *   replace   the catalog has audio for these tracks already: keep it or replace it
 */
export interface Review {
  schema_version: 1;
  id: string;
  kind: 'track' | 'tracks' | 'album' | 'no_match' | 'replace';
  /**
   * What the question is about more closely; its own wording and table.
   *   edition        album: the options are editions of one album
   *   partial        album: the files are part of the album only
   *   better_format  replace: the file is better than what the catalog has
   *   worse_format   replace: it is not
   */
  variant?: 'edition' | 'partial' | 'better_format' | 'worse_format';
  /** The job through which the API names it (the first of the group). */
  job_id: string;
  job_ids: string[];
  batch_id: string;
  group_id: string | null;
  question: string;
  /** One sentence: why it is not sure. */
  reasoning: string;
  options: ReviewOption[];
  /** What the agent would choose, and why; only advice: it opens no gate. `failed` says why it could not be asked. */
  advice?: ReviewAdvice | null;
  /** What was read off the files, for the editor and the search box. */
  detected: { album: string | null; artist: string | null; year: number | null; title: string | null };
  /** The files, for the side-by-side table. */
  files: {
    job_id: string;
    name: string;
    title: string | null;
    disc: number | null;
    position: number | null;
    duration_ms: number | null;
    /** `tracks`: the track that `accept` takes for this file. */
    proposed?: TrackOption | null;
    /** `replace`: the track whose audio the file would take the place of; absent in rows from before 0.3. */
    replaces?: string | null;
  }[];
  created_at: number;
  resolved_at: number | null;
  resolved_by_user_id: string | null;
  /** Option id (`track:<id>`, `album:<id>`, `accept`, `each`, `keep`, `replace`), `none`, `created:<album id>`, `cancelled`, `withdrawn`. */
  selected_option: string | null;
  /** SYNC-27: another answer came from elsewhere when this one could not be taken back any more. */
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

export interface ReviewOption {
  /** `album:<id>`, `track:<id>`, `accept` (all as proposed), `each` (one by one), `keep` or `replace`. */
  id: string;
  /** The candidate's title, as the button is named. */
  label: string;
  /** 0..1. */
  confidence: number;
  reasons: Reason[];
  album?: AlbumOption;
  track?: TrackOption;
}

/** Strong, Likely, Unsure: the three words for confidence. */
export function confidenceWord(confidence: number): 'Strong' | 'Likely' | 'Unsure' {
  if (confidence > 0.9) return 'Strong';
  return confidence >= 0.6 ? 'Likely' : 'Unsure';
}
