import History from '@lucide/svelte/icons/history';
import Import from '@lucide/svelte/icons/import';
import MessageCircleQuestionMark from '@lucide/svelte/icons/message-circle-question-mark';
import Settings from '@lucide/svelte/icons/settings-2';
import type { Place } from '../lane-ui.ts';
import { allLanes } from '../lanes.ts';

/** The places of the app, as the rail and the palette name them. */
export const places = (): Place[] => [
  { id: 'ingest', path: '', also: ['jobs', 'batches'], label: 'Ingest', icon: Import },
  { id: 'review', path: 'review', label: 'Review', icon: MessageCircleQuestionMark },
  { id: 'history', path: 'history', label: 'History', icon: History },
  ...allLanes().flatMap((lane) => lane.places ?? []),
  { id: 'settings', path: 'settings', label: 'Settings', icon: Settings },
];
