import Clapperboard from '@lucide/svelte/icons/clapperboard';
import { drawn, type LaneUi } from '#ui/lane-ui.ts';
import { db } from '#ui/client/db.ts';

export const ui: LaneUi = {
  id: 'video',
  places: [{ id: 'video', path: 'video', label: 'Video', icon: Clapperboard }],
  lists: [{ path: 'catalog/shows', label: 'Shows' }],
  pages: [
    { path: 'video', load: async () => drawn((await import('./page/VideoPage.svelte')).default, {}) },
    { path: 'catalog/shows', load: async () => drawn((await import('./shows/ShowBrowser.svelte')).default, {}) },
    {
      path: 'catalog/shows/new',
      load: async () => drawn((await import('./shows/ShowPage.svelte')).default, { loaded: null }),
    },
    {
      path: 'catalog/shows/[id]',
      load: async ({ id = '' }) => drawn((await import('./shows/EditShowPage.svelte')).default, { id }),
    },
  ],
  searches: async () => (await import('./palette-search.ts')).searches,
  keys: async () => [
    {
      name: 'Video',
      keys: [
        ['J', 'Next file'],
        ['K', 'File before'],
        ['E', 'Correct the file, or write its name'],
        ['X', 'Leave the file out, or take it in again'],
      ],
    },
  ],
  drops: {
    label: 'Video',
    priority: 20,
    names: /\.(?:mkv|avi|mp4|m4v|mov|webm|wmv|mpe?g)$/i,
    load: async () => (await import('./drop-taker.ts')).taker,
  },
  keeps: async () => (await db.video_records.count()) > 0,
  /** A rename that a crash or a closed page interrupted is put right. */
  async start() {
    const interrupted = await db.rename_journals.where('open').equals(1).count();
    if (interrupted > 0) await (await import('./page/recover-at-start.ts')).recoverAtStart();
  },
  settings: async () => (await import('./settings.ts')).settings,
};
