/** Whether what was found suffices: for each part of the question the sentences that answer it, and how sure that is. */
import type { SubQuestion } from '../question/question.types.ts';
import type { Evidence } from './evidence.types.ts';
import { rankSentences, type RankedSentence } from './rank.ts';
import { sureness } from './sureness.ts';

export interface AssessedPart {
  question: SubQuestion;
  /** Best first. */
  ranked: RankedSentence[];
  /** What of them is said: empty where the part is not answered. */
  chosen: RankedSentence[];
  /** 0 to 1: how likely the answer is among what was chosen. */
  confidence: number;
  answered: boolean;
  /** What was not found, a sentence for a person; null where the part is answered. */
  missing: string | null;
}

export interface Assessment {
  parts: AssessedPart[];
  /** Of the least sure part. */
  confidence: number;
  /** How many sources what was chosen comes from. */
  sources: number;
  /** Every part is answered. */
  sufficient: boolean;
}

/** Below it a part is not answered. */
export const ANSWERED_FROM = 0.5;
/** Sentences a part, at most. */
const MOST_QUOTES = 3;
/** A further sentence is said where it is so good beside the best. */
const NEAR_BEST = 0.8;

export function assess(questions: readonly SubQuestion[], evidence: readonly Evidence[]): Assessment {
  const parts = questions.map((question) => assessPart(question, evidence));
  const chosen = parts.flatMap((part) => part.chosen);
  return {
    parts,
    confidence: Math.min(1, ...parts.map(({ confidence }) => confidence)),
    sources: new Set(chosen.map(({ sentence }) => sentence.evidence.source_id)).size,
    sufficient: parts.length > 0 && parts.every(({ answered }) => answered),
  };
}

function assessPart(question: SubQuestion, evidence: readonly Evidence[]): AssessedPart {
  const ranked = rankSentences(question, evidence);
  const confidence = sureness(question, ranked);
  const answered = confidence >= ANSWERED_FROM;
  const best = ranked[0]?.score ?? 0;
  const chosen = answered ? ranked.filter(({ score }) => score >= NEAR_BEST * best).slice(0, MOST_QUOTES) : [];
  return { question, ranked, chosen, confidence, answered, missing: answered ? null : missingOf(question, ranked) };
}

/** What was looked for, and which of its words are nowhere near an answer. */
function missingOf(question: SubQuestion, ranked: readonly RankedSentence[]): string {
  const absent = ranked[0]?.fit.absent ?? question.terms.map(({ word }) => word);
  const words = absent.length === 0 ? '' : ` Nothing near it says: ${absent.join(', ')}.`;
  return `Not found: ${question.text}${words}`;
}
