import Calculator from '@lucide/svelte/icons/calculator';
import type { LaneUi } from '#ui/lane-ui.ts';

export const ui: LaneUi = {
  id: 'toolbox',
  places: [{ id: 'tools', path: 'tools', label: 'Tools', icon: Calculator }],
  settings: async () => (await import('./settings.ts')).settings,
  searches: async () => (await import('./palette-search.ts')).searches,
  pages: ['tools', 'tools/[name]'].map((path) => ({
    path,
    load: async (params) => (await import('./pages.ts')).toolsPage(params['name']),
  })),
};
