import Calculator from '@lucide/svelte/icons/calculator';
import type { LaneSearch } from '#ui/lane-ui.ts';
import { hasWords } from '#ui/list/has-words.ts';
import { allTools } from './page/all-tools.ts';

const MOST = 6;

export const searches: readonly LaneSearch[] = [
  {
    heading: 'Tools',
    icon: Calculator,
    async find(words) {
      const has = hasWords(words);
      const found = (await allTools()).filter(({ name, description }) => has([name, description])).slice(0, MOST);
      return found.map(({ name, description }) => ({
        key: `tool ${name}`,
        label: name,
        detail: description,
        path: `tools/${name}`,
      }));
    },
  },
];
