import LibraryBig from '@lucide/svelte/icons/library-big';
import { db } from '#ui/client/db.ts';
import { drawn, type LaneUi } from '#ui/lane-ui.ts';

export const ui: LaneUi = {
  id: 'library',
  places: [{ id: 'library', path: 'library', also: ['ask'], label: 'Library', icon: LibraryBig }],
  pages: [
    { path: 'library', load: async () => drawn((await import('./page/LibraryPage.svelte')).default, {}) },
    { path: 'ask', load: async () => drawn((await import('./page/ask/AskPage.svelte')).default, {}) },
    {
      path: 'library/[id]',
      async load({ id = '' }) {
        const { serverId } = await import('./server-library.ts');
        const folder = serverId(id);
        if (folder !== null) return drawn((await import('./page/ServerFolderPage.svelte')).default, { id: folder });
        return drawn((await import('./page/FolderPage.svelte')).default, { id });
      },
    },
    {
      path: 'library/[id]/file',
      load: async ({ id = '' }, query) =>
        drawn((await import('./page/FilePage.svelte')).default, {
          id,
          path: query.get('path') ?? '',
          line: Number(query.get('line') ?? 1),
        }),
    },
  ],
  search: {
    heading: 'Symbols',
    icon: LibraryBig,
    /** The worker is started only where there is a library. */
    find: async (words) =>
      (await import('./page/find-symbols.ts')).symbolHits(words, (await db.library_folders.count()) > 0),
  },
  keys: [
    {
      name: 'Library',
      keys: [
        ['/', 'Search the library'],
        ['J', 'Next passage'],
        ['K', 'Passage before'],
        ['Enter', 'Open the passage in its file'],
      ],
    },
  ],
};
