import ListChecks from '@lucide/svelte/icons/list-checks';
import { db } from '#ui/client/db.ts';
import type { LaneUi } from '#ui/lane-ui.ts';

export const ui: LaneUi = {
  id: 'playbooks',
  places: [{ id: 'playbooks', path: 'playbooks', label: 'Playbooks', icon: ListChecks }],
  drops: {
    label: 'Playbooks',
    priority: 10,
    names: /\.ya?ml$/i,
    load: async () => (await import('./drop-taker.ts')).taker,
  },
  keeps: async () => (await db.playbook_books.count()) > 0,
  searches: async () => (await import('./palette-search.ts')).searches,
  settings: async () => (await import('./settings.ts')).settings,
  pages: ['', '/[id]', '/runs/[id]', '/runs/[id]/beside/[other]', '/shared/[id]'].map((path) => ({
    path: `playbooks${path}`,
    load: async (params) => (await import('./pages.ts')).playbookPage(path, params),
  })),
};
