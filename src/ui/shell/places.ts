import History from '@lucide/svelte/icons/history';
import Import from '@lucide/svelte/icons/import';
import MessageCircleQuestionMark from '@lucide/svelte/icons/message-circle-question-mark';
import Settings from '@lucide/svelte/icons/settings-2';
import type { Place } from '../lane-ui.ts';
import { allLanes } from '../lanes.ts';

export const firstPlaces: readonly Place[] = [
  { id: 'ingest', path: '', also: ['jobs', 'batches'], label: 'Ingest', icon: Import },
  { id: 'review', path: 'review', label: 'Review', icon: MessageCircleQuestionMark },
  { id: 'history', path: 'history', label: 'History', icon: History },
];

export const settingsPlace: Place = { id: 'settings', path: 'settings', label: 'Settings', icon: Settings };

/** Of the lanes that `which` takes. */
export const lanePlaces = (which: (laneId: string) => boolean): Place[] =>
  allLanes().flatMap(({ id, places = [] }) => (which(id) ? places : []));

/** The places of the app, as the palette names them. */
export const places = (): Place[] => [...firstPlaces, ...lanePlaces(() => true), settingsPlace];
