/** What a run takes over from another, and of which steps it asks everything anew. */
import { PlaybookFault } from '../faults.ts';
import { didYouMean } from '../read/nearest.ts';
import type { Playbook } from '../read/playbook.types.ts';

/** Steps of which nothing is taken over: a name and all steps after it, and names one by one. */
export interface Again {
  from?: string;
  steps?: readonly string[];
}

/** Places of these steps. Throws PlaybookFault `playbook_value` where there is none of a name. */
export function stepsAgain({ steps }: Pick<Playbook, 'steps'>, { from, steps: named = [] }: Again): number[] {
  const placeOf = (name: string): number => {
    const at = steps.findIndex((step) => step.name === name);
    if (at >= 0) return at;
    const meant = didYouMean(
      name,
      steps.map((step) => step.name),
    );
    throw new PlaybookFault('playbook_value', name, `There is no step "${name}" to ask anew.${meant}`, {
      remedy: 'Name a step of the playbook.',
    });
  };
  const first = from === undefined ? steps.length : placeOf(from);
  const alone = named.map(placeOf);
  return [...steps.keys()].filter((at) => at >= first || alone.includes(at));
}
