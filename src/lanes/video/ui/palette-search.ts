import Clapperboard from '@lucide/svelte/icons/clapperboard';
import { db } from '#ui/client/db.ts';
import type { LaneSearch } from '#ui/lane-ui.ts';
import { hasWords } from '#ui/list/has-words.ts';
import { showPath } from './shows/show-load.ts';

const MOST = 6;

export const searches: readonly LaneSearch[] = [
  {
    heading: 'Shows',
    icon: Clapperboard,
    async find(words) {
      const has = hasWords(words);
      const found = await db.show_heads
        .filter(({ title, titles }) => has([title, ...titles]))
        .limit(MOST)
        .toArray();
      return found.map(({ id, title, year }) => ({
        key: `show ${id}`,
        label: title,
        detail: year === null ? '' : `${year}`,
        path: showPath(id),
      }));
    },
  },
];
