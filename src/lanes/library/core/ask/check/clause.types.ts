/** A text as clauses: what each says of its own, what it has from the clauses before it, which words change its sense. */
import type { Quantity } from '../words/quantities.ts';
import type { Token } from '../words/tokens.ts';
import type { Cue } from './cues.ts';

export interface ContentWord {
  key: string;
  lower: string;
  text: string;
  /** Which token of the text. */
  at: number;
  /** Written as a name: with a capital where no sentence begins. */
  isName: boolean;
  /** A word of negation stands before it: `clause` where it negates all that follows, `word` where it negates this alone. */
  negated: 'clause' | 'word' | null;
  /** The preposition right before its noun group, where it says a direction: `from`, `above`. */
  role: string | null;
  isVerb: boolean;
  /** Keys of the parts of a name of code: `RETRY_SECONDS`. */
  parts: readonly string[];
}

export interface ClauseCue extends Cue {
  at: number;
  length: number;
}

export interface Clause {
  /** Tokens, the last one included. */
  first: number;
  last: number;
  content: ContentWord[];
  quantities: (Quantity & { role: string | null })[];
  cues: ClauseCue[];
  /** It speaks of something before it: `it`, `which`. */
  pointsBack: string | null;
  /** It has no subject of its own. */
  subjectless: boolean;
  /** It has an amount and no verb: `and 1.6 metres at neaps`. */
  gapped: boolean;
  /** Token of its first verb; -1: none. */
  verbAt: number;
  /** What it says as a whole is negated. */
  negated: boolean;
  passive: boolean;
  /** Which sentence of the text. */
  sentence: number;
  /** A cause, or what one leads to. */
  side: 'cause' | 'effect' | null;
}

export interface ReadText {
  text: string;
  tokens: Token[];
  clauses: Clause[];
}
