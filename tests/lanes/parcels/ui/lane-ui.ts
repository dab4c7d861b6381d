import Package from '@lucide/svelte/icons/package';
import { drawn, laneUi } from '#ui/lane-ui.ts';
import type { ParcelTypes } from '../core/types.ts';
import MatchCell from './MatchCell.svelte';

export const ui = laneUi<ParcelTypes>({
  id: 'parcels',
  places: [{ id: 'shelves', path: 'shelves', label: 'Shelves', icon: Package }],
  pages: [{ path: 'shelves', load: async () => drawn((await import('./ShelvesPage.svelte')).default, {}) }],
  rows: {
    Match: MatchCell,
    title: () => null,
    confidence: ({ match_confidence }) => match_confidence,
    words: ({ matched_title, evidence }) => [matched_title, evidence?.street],
  },
  formats: 'parcels',
});
