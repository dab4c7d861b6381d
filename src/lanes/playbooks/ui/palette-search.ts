import ListChecks from '@lucide/svelte/icons/list-checks';
import Play from '@lucide/svelte/icons/play';
import { db } from '#ui/client/db.ts';
import type { LaneSearch } from '#ui/lane-ui.ts';
import { hasWords } from '#ui/list/has-words.ts';
import { moment } from '#ui/parts/words.ts';
import { bookPath, desk, runPath, stateWords } from './page/desk.svelte.ts';

const MOST = 6;

export const searches: readonly LaneSearch[] = [
  {
    heading: 'Playbooks',
    icon: ListChecks,
    async find(words) {
      const has = hasWords(words);
      const found = await db.playbook_books
        .filter(({ name }) => has([name]))
        .limit(MOST)
        .toArray();
      return found.map(({ id, name }) => ({ key: `playbook ${id}`, label: name, detail: '', path: bookPath(id) }));
    },
  },
  {
    heading: 'Runs',
    icon: Play,
    async find(words) {
      const has = hasWords(words);
      const runs = await db.playbook_runs.filter(({ name, model }) => has([name, model])).toArray();
      return runs
        .toSorted((a, b) => b.begun_at - a.begun_at)
        .slice(0, MOST)
        .map(({ id, name, begun_at, state }) => ({
          key: `run ${id}`,
          label: name,
          detail: `${stateWords(state, desk.working.includes(id))}, ${moment(begun_at)}`,
          path: runPath(id),
        }));
    },
  },
];
