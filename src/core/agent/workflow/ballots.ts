/** Votes of several ballots made one verdict. */
import { ASK, NONE } from '../prompt/schemas.ts';
import type { Verdict, Vote } from './workflow.ts';

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
  if (agreement <= 0.5) {
    return { kind: 'ask', why: 'The model answered differently when the options stood in another order.', agreement };
  }
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
