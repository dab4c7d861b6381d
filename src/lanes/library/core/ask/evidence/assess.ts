/** Whether what was found suffices: for each part of the question the sentences that answer it, and how sure that is. */
import type { SubQuestion } from '../question/question.types.ts';
import { isVerbLike } from '../check/verbs.ts';
import { keyOf } from '../words/lemma.ts';
import { fitOf, wordsOfSentence } from './measure.ts';
import { sentencesOf } from './source-sentences.ts';
import { CALCULATION, type Evidence } from './evidence.types.ts';
import { rankSentences, type RankedSentence } from './rank.ts';
import { rivalsOf } from './rivals.ts';
import { sureness } from './sureness.ts';

export interface AssessedPart {
  question: SubQuestion;
  /** Best first. */
  ranked: RankedSentence[];
  /** What of them is said: empty where the part is not answered. */
  chosen: RankedSentence[];
  /** Those of `chosen` that differ from its first, from other sources. */
  rivals: RankedSentence[];
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
  /** What was calculated: a model may say it beside what answers; by itself it answers nothing. */
  calculations: RankedSentence[];
}

/** Below it a part is not answered. */
export const ANSWERED_FROM = 0.5;
/** Sentences a part, at most. */
const MOST_QUOTES = 3;
/** A further sentence is said where it is so good beside the best. */
const NEAR_BEST = 0.8;
/** What has the amount or the name that the best has not: among so many, and so good beside it. */
const AMONG_WANTED = 6;
const NEAR_FOR_WANTED = 0.5;
/** Where the question asks for several things. */
const NEAR_FOR_MANY = 0.7;

export function assess(questions: readonly SubQuestion[], evidence: readonly Evidence[]): Assessment {
  const parts = questions.map((question) => assessPart(question, evidence));
  const chosen = parts.flatMap((part) => part.chosen);
  return {
    parts,
    confidence: Math.min(1, ...parts.map(({ confidence }) => confidence)),
    sources: new Set(chosen.map(({ sentence }) => sentence.evidence.source_id)).size,
    sufficient: parts.length > 0 && parts.every(({ answered }) => answered),
    calculations: calculationsIn(questions[0], evidence),
  };
}

function calculationsIn(question: SubQuestion | undefined, evidence: readonly Evidence[]): RankedSentence[] {
  if (question === undefined) return [];
  return evidence
    .filter(({ language }) => language === CALCULATION)
    .flatMap((one) => sentencesOf(one))
    .map((sentence) => ({ sentence, fit: fitOf(question, sentence, undefined, undefined), passage: 0, score: 0 }));
}

function assessPart(question: SubQuestion, evidence: readonly Evidence[]): AssessedPart {
  const ranked = rankSentences(question, evidence);
  const confidence = sureness(question, ranked, nowhereOf(question, evidence));
  const answered = confidence >= ANSWERED_FROM;
  const rivals = answered ? rivalsOf(question, ranked) : [];
  return {
    ...{ question, ranked, confidence, answered, rivals },
    chosen: answered ? chosenOf(question, ranked, rivals) : [],
    missing: answered ? null : missingOf(question, ranked),
  };
}

/** The share of its words, verbs apart, that no source has. */
function nowhereOf({ terms }: SubQuestion, evidence: readonly Evidence[]): number {
  let total = 0;
  let missing = 0;
  for (const { term, word, weight, kind } of terms) {
    total += weight;
    const lower = word.toLowerCase();
    if (kind === 'word' && isVerbLike(lower, '')) continue;
    const has = evidence.some((one) =>
      sentencesOf(one).some((sentence) => {
        const { set } = wordsOfSentence(sentence);
        return set.has(term) || set.has(keyOf(lower));
      }),
    );
    if (!has) missing += weight;
  }
  return total === 0 ? 0 : missing / total;
}

/** The best sentence, what differs from it, and what is nearly as good. */
function chosenOf(
  question: SubQuestion,
  ranked: readonly RankedSentence[],
  rivals: readonly RankedSentence[],
): RankedSentence[] {
  const best = ranked[0];
  if (best === undefined) return [];
  const chosen = [best, ...rivals];
  const isMany = /\b(?:all|both|each|every|list|which of|together)\b/i.test(question.text);
  const from = (isMany ? NEAR_FOR_MANY : NEAR_BEST) * best.score;
  for (const one of ranked)
    if (!chosen.some((said) => isIn(one, said)) && one.score >= from && chosen.length < MOST_QUOTES + rivals.length)
      chosen.push(one);
  // What is asked for may stand in one that is less like the question.
  const wanted = ranked
    .slice(0, AMONG_WANTED)
    .find(
      ({ fit, score }) =>
        fit.wanted >= 0.7 && !fit.otherName && fit.own >= 0.3 && score >= NEAR_FOR_WANTED * best.score,
    );
  if (best.fit.wanted < 0.3 && wanted !== undefined && !chosen.some((said) => isIn(wanted, said))) chosen.push(wanted);
  return chosen;
}

/** It stands in the other, or is it. */
const isIn = ({ sentence: one }: RankedSentence, { sentence: other }: RankedSentence): boolean =>
  one.evidence === other.evidence && other.start <= one.start && one.end <= other.end;

/** What was looked for, and which of its words are nowhere near an answer. */
function missingOf(question: SubQuestion, ranked: readonly RankedSentence[]): string {
  const absent = ranked[0]?.fit.absent ?? question.terms.map(({ word }) => word);
  const words = absent.length === 0 ? '' : ` Nothing near it says: ${absent.join(', ')}.`;
  return `Not found: ${question.text}${words}`;
}
