import { plural } from '#ui/parts/words.ts';

/** How many numbers the answers have, as more of a line; nothing where they have none. */
export const numberWords = ({ numbers, untraced }: { numbers: number; untraced: number }): string =>
  numbers === 0
    ? ''
    : `, ${plural(numbers, 'number')} of which ${untraced === 0 ? 'all are traced' : `${untraced} untraced`}`;
