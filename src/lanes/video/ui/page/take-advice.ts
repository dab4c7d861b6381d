/** What taking a model's advice over means: answers to the folder's questions, or a row that is corrected. */
import type { Advice, ReadAnswers } from '../client.ts';
import type { Correction } from './corrections.ts';

/** Whether it can be taken over at all. */
export const canTake = ({ proposal, refused }: Advice): boolean => proposal !== null && refused === null;

/**
 * The answers that have to be given for `advice`: its own, and those before it that hold, which the model was asked
 * upon. `with` are the pieces of advice that they are of, without those that were taken over already.
 */
export function answersTo(
  items: readonly Advice[],
  advice: Advice,
  taken: readonly Advice[],
): { answers: ReadAnswers; with: Advice[] } {
  const also = items
    .slice(0, items.indexOf(advice) + 1)
    .filter((one) => one.kind !== 'which-episode' && canTake(one) && !taken.includes(one));
  const answers: ReadAnswers = {};
  for (const { kind, proposal } of also) {
    if (proposal === null) continue;
    if (kind === 'which-show') answers.show = proposal.id;
    else answers.numbering = proposal.id;
  }
  return { answers, with: also };
}

/** Null for what is no single file's. */
export function correctionTo({ path, proposal }: Advice): { path: string; correction: Correction } | null {
  if (path === null || proposal?.place == null) return null;
  const { season, episode } = proposal.place;
  return { path, correction: { class: 'episode', season, episodes: [episode], excluded: false, source: 'agent' } };
}
