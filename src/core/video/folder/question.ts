/** VIDEO-41: one question where the numbers of many files can be read in two ways. */
import type { FolderQuestion } from '../folder-reading.ts';
import { placeName, type KnownShow } from './known-show.ts';
import type { Counting, CountingKind } from './counting.ts';
import { OPEN_MARGIN } from './reasons.ts';
import type { Weighed } from './weigh.ts';

/** Null where every group's numbers can be read in one way only, or one is by far the better. */
export function numberingQuestion(weighed: readonly Weighed[], show: KnownShow): FolderQuestion | null {
  const open = weighed
    .filter(({ next, cost, group }) => next !== null && group.by !== 'marked' && next.cost - cost < OPEN_MARGIN)
    .filter(({ next }) => !show.counted || next !== null)
    .sort((a, b) => b.group.clues.length - a.group.clues.length)[0];
  if (open?.next === undefined || open.next === null) return null;
  const clue = open.group.clues.find((one) => outcome(open.counting, one) !== outcome(open.next?.counting, one));
  if (clue === undefined) return null;
  const name = clue.path.slice(clue.path.lastIndexOf('/') + 1);
  const [first, second] = [open.counting, open.next.counting];
  const option = (counting: Counting) => ({
    id: counting.kind,
    label: `${LABELS[counting.kind]}: "${name}" is ${outcome(counting, clue)}`,
  });
  const files = open.group.clues.length;
  return {
    kind: 'which-numbering',
    sentence: `How do the numbers of ${files === 1 ? `"${name}"` : `${files} files`} count?`,
    options: [option(first), option(second)],
  };
}

const LABELS: Record<CountingKind, string> = {
  season: 'Within the season',
  absolute: 'Through all seasons',
  compact: 'Season and episode in one number',
  after: 'On from the seasons before',
  sequel: 'As a season of their own',
};

function outcome(counting: Counting | undefined, clue: Weighed['group']['clues'][number]): string {
  const places = counting?.place(clue) ?? null;
  return places === null ? 'no episode' : places.map(placeName).join(', ');
}
