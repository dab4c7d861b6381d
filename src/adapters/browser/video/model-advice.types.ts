/** What a model says of an opened folder. Nothing of it counts before the person takes it over (VIDEO-91). */
import type { Failure } from '#core/errors.ts';

export interface Advice {
  kind: 'which-show' | 'which-numbering' | 'which-episode';
  question: string;
  /** Below the folder; null where it is about the folder as a whole. */
  path: string | null;
  /** Null where the model leaves it to the person. `place` is of a file. */
  proposal: { id: string; label: string; place: { season: number; episode: number } | null } | null;
  /** The model's short why. */
  why: string;
  /** Why the folder's files speak against it; null where they do not. */
  refused: string | null;
}

export interface FolderAdvice {
  /** As the provider calls it. */
  model: string;
  items: Advice[];
  /** The person stopped it, or another folder was opened: the rest was not asked. */
  stopped: boolean;
  /** Why the model was asked no more; null where it answered. */
  failure: Failure | null;
}

/** Where the asking is. */
export type AskProgress = { stage: 'opening' } | { stage: 'asking'; at: number; question: string; path: string | null };
