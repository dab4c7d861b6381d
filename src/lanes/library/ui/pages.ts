/** The lane's pages, and the help on their keys. Apart from `lane-ui.ts`, since every first visit loads that, and each page names all that it needs. */
import { drawn, type KeyGroup, type LanePage } from '#ui/lane-ui.ts';

type Load = LanePage['load'];

export const libraryPage: Load = async () => drawn((await import('./page/LibraryPage.svelte')).default, {});

export const askPage: Load = async () => drawn((await import('./page/ask/AskPage.svelte')).default, {});

export const folderPage: Load = async ({ id = '' }) => {
  const { serverId } = await import('./server-library.ts');
  const folder = serverId(id);
  if (folder !== null) return drawn((await import('./page/ServerFolderPage.svelte')).default, { id: folder });
  return drawn((await import('./page/FolderPage.svelte')).default, { id });
};

export const filePage: Load = async ({ id = '' }, query) =>
  drawn((await import('./page/FilePage.svelte')).default, {
    id,
    path: query.get('path') ?? '',
    line: Number(query.get('line') ?? 1),
    page: Number(query.get('page') ?? 0),
    words: query.get('words') ?? '',
  });

export const keys: readonly KeyGroup[] = [
  {
    name: 'Library',
    keys: [
      ['/', 'Search the library'],
      ['J', 'Next passage'],
      ['K', 'Passage before'],
      ['Enter', 'Open the passage in its file'],
    ],
  },
];
