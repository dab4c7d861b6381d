import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import { db } from '#ui/client/db.ts';
import type { LaneUi } from '#ui/lane-ui.ts';

export const ui: LaneUi = {
  id: 'guide',
  places: [{ id: 'guide', path: 'guide', label: 'Guide', icon: CalendarClock }],
  pages: ['', '/health', '/runs', '/channels'].map((view) => ({
    path: `guide${view}`,
    load: async () => (await import('./pages.ts')).guidePage(view.slice(1)),
  })),
  searches: async () => (await import('./palette-search.ts')).searches,
  keys: async () => (await import('./pages.ts')).keys,
  drops: {
    label: 'Guide',
    priority: 10,
    names: /\.xml(?:tv)?(?:\.gz)?$/i,
    load: async () => (await import('./drop-taker.ts')).taker,
  },
  keeps: async () => (await db.guide_sources.count()) > 0,
  start: async () => (await import('./at-start.ts')).watchAtStart(),
  settings: async () => (await import('./settings.ts')).settings,
};
