/** What the keys do, for the help and the palette. */
import type { KeyGroup } from '../lane-ui.ts';
import { allLanes } from '../lanes.ts';

export const OWN_KEYS: readonly KeyGroup[] = [
  {
    name: 'Everywhere',
    keys: [
      ['Ctrl K', 'Go to a place or do something'],
      ['P', 'Pause all work, or let it go on'],
      ['?', 'This help'],
    ],
  },
  {
    name: 'Review',
    keys: [
      ['1 – 9', 'Choose the option of that number'],
      ['Enter', 'Choose the first option'],
      ['S', 'Skip this question for now'],
      ['U', 'Undo the last answer'],
      ['J', 'Next question'],
      ['K', 'Question before'],
      ['Space', 'Listen to the file, or pause'],
    ],
  },
];

export const keysOfLanes = async (): Promise<readonly KeyGroup[]> =>
  (await Promise.all(allLanes().map(async (lane) => (await lane.keys?.()) ?? []))).flat();
