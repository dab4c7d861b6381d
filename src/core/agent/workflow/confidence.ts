/** Votes of several ballots made one verdict, and from evidence and answer to one number. */
import { ASK, NONE } from '../prompt/answer.ts';
import type { Verdict, Vote } from './workflow.ts';

export interface AnswerFacts {
  /** Of the chosen option, from evidence, 0..1. */
  evidence: number;
  /** Of the best other option. */
  next: number;
  /** Share of the ballots that agreed, 0..1. */
  agreement: number;
  /** Natural log-probability of the letter; null where it is not offered. */
  logprob: number | null;
  /** The model's own number, where it gave one: a claim. It can only lower. */
  claim: number | null;
  /** The person's threshold of approval. */
  threshold: number;
}

/** Weights of the log-odds: set by hand so that an answer moves a doubt within its word, never across the threshold. */
const WEIGHTS = { margin: 0.8, agreement: 2, logprob: 0.3, chosen: 0.5 };

/**
 * AGENT-6: the evidence's log-odds, moved by how clear the lead is, by how steady the answer was and by how likely its
 * letter was. At most the threshold, unless evidence alone is over it; then at most that. Two decimals.
 */
export function answerConfidence(facts: AnswerFacts): number {
  const { evidence, next, agreement, logprob, claim, threshold } = facts;
  const odds =
    logit(evidence) +
    WEIGHTS.chosen +
    WEIGHTS.margin * (evidence - next) +
    WEIGHTS.agreement * (Math.min(1, Math.max(0, agreement)) - 1) +
    WEIGHTS.logprob * (logprob === null ? 0 : Math.max(-4, Math.min(0, logprob)));
  const ceiling = evidence > threshold ? evidence : threshold;
  const own = claim === null ? 1 : Math.min(1, Math.max(0, claim));
  const value = Math.min(1 / (1 + Math.exp(-odds)), ceiling, own);
  return Math.floor(value * 100) / 100;
}

/** AGENT-6: what is left of the best option's evidence where the model found none right, or would not choose. */
export function doubtedConfidence(evidence: number, kind: 'none' | 'ask', agreement: number): number {
  const odds = logit(evidence) - (kind === 'none' ? 2 : 0.7) * Math.min(1, Math.max(0, agreement));
  return Math.floor(Math.min(evidence, 1 / (1 + Math.exp(-odds))) * 100) / 100;
}

function logit(share: number): number {
  const inside = Math.min(0.999, Math.max(0.001, share));
  return Math.log(inside / (1 - inside));
}

export interface Ballot {
  vote: Vote;
  why: string;
}

/**
 * AGENT-15 more than half of the ballots decide; `agreement` is their share, 1 only when the model said the same in every
 * order. No majority is no answer: a person is asked.
 */
export function verdictOf(ballots: readonly Ballot[]): Verdict {
  const counts = new Map<string, Ballot[]>();
  for (const ballot of ballots) counts.set(ballot.vote.answer, [...(counts.get(ballot.vote.answer) ?? []), ballot]);
  const [winner, votes] = [...counts].sort((a, b) => b[1].length - a[1].length)[0] ?? [ASK, []];
  const agreement = ballots.length === 0 ? 0 : votes.length / ballots.length;
  const why = votes.find((ballot) => ballot.why !== '')?.why ?? '';
  if (agreement <= 0.5)
    return { kind: 'ask', why: 'The model answered differently when the options stood in another order.', agreement };
  if (winner === NONE) return { kind: 'none', why, agreement };
  if (winner === ASK) return { kind: 'ask', why, agreement };
  return { kind: 'option', option_id: winner, why, agreement, logprob: meanLogprob(votes) };
}

/** How likely the letter was as the first token, in whatever way the vocabulary writes it; null when not offered. */
export function letterLogprob(letter: string, first: Readonly<Record<string, number>> | null): number | null {
  if (first === null) return null;
  const matching = Object.entries(first).filter(([token]) => token.replace(/[^A-Za-z]/g, '').toUpperCase() === letter);
  return matching.length === 0 ? null : Math.max(...matching.map(([, logprob]) => logprob));
}

function meanLogprob(votes: readonly Ballot[]): number | null {
  const known = votes.flatMap(({ vote }) => (vote.logprob === null ? [] : [vote.logprob]));
  return known.length === 0 ? null : known.reduce((total, one) => total + one, 0) / known.length;
}
