import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import { db } from '#ui/client/db.ts';
import { ask } from '#ui/client/workers.ts';
import type { LaneSearch } from '#ui/lane-ui.ts';
import { hasWords } from '#ui/list/has-words.ts';
import { guides } from './client.ts';

const MOST = 6;

export const searches: readonly LaneSearch[] = [
  {
    heading: 'Channels',
    icon: CalendarClock,
    /** The worker is started only where there is a guide. */
    async find(words) {
      const channels = (await db.guide_sources.count()) > 0 ? await ask(guides().channels()) : [];
      if (channels === null) return null;
      const has = hasWords(words);
      const found = channels.filter(({ id, name }) => has([name, id])).slice(0, MOST);
      return found.map(({ id, name }) => ({
        key: `channel ${id}`,
        label: name,
        detail: id === name ? '' : id,
        path: `guide/health?channel=${encodeURIComponent(id)}`,
      }));
    },
  },
];
