import Clapperboard from '@lucide/svelte/icons/clapperboard';
import Disc3 from '@lucide/svelte/icons/disc-3';
import History from '@lucide/svelte/icons/history';
import Import from '@lucide/svelte/icons/import';
import MessageCircleQuestionMark from '@lucide/svelte/icons/message-circle-question-mark';
import Settings from '@lucide/svelte/icons/settings-2';

/** The places of the app, as the rail and the palette name them. */
export const PLACES = [
  { id: 'ingest', href: '/', label: 'Ingest', icon: Import },
  { id: 'review', href: '/review', label: 'Review', icon: MessageCircleQuestionMark },
  { id: 'history', href: '/history', label: 'History', icon: History },
  { id: 'catalog', href: '/catalog', label: 'Catalog', icon: Disc3 },
  { id: 'video', href: '/video', label: 'Video', icon: Clapperboard },
  { id: 'settings', href: '/settings', label: 'Settings', icon: Settings },
] as const;
