import BookOpenText from '@lucide/svelte/icons/book-open-text';
import { db } from '#ui/client/db.ts';
import { drawn, type LaneUi } from '#ui/lane-ui.ts';

export const ui: LaneUi = {
  id: 'documents',
  places: [{ id: 'documents', path: 'documents', label: 'Documents', icon: BookOpenText }],
  pages: [
    { path: 'documents', load: async () => drawn((await import('./page/DocumentsPage.svelte')).default, {}) },
    {
      path: 'documents/listings',
      load: async () => drawn((await import('./page/listings/ListingsPage.svelte')).default, {}),
    },
  ],
  kept: {
    label: 'Documents',
    path: 'documents',
    // What lies in an album's folder stays there, as a booklet.
    async of(batchId) {
      const batch = await db.batches.get(batchId);
      const found = (batch?.companions ?? []).filter(({ kind, sha256 }) => kind === 'document' && sha256 !== null);
      if (found.length === 0) return [];
      const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
      const jobs = await db.jobs.where('batch_id').equals(batchId).toArray();
      const albums = [...new Set(jobs.map(({ path }) => folderOf(path)))].filter((folder) => folder !== '');
      return found.map(({ path }) => path).filter((path) => !albums.some((folder) => path.startsWith(folder)));
    },
    show: async (...drop) => (await import('./page/taken-documents.ts')).showTaken(...drop),
  },
  keeps: async () => (await db.document_plans.count()) > 0,
  settings: async () => (await import('./settings.ts')).settings,
  searches: async () => (await import('./page/palette-search.ts')).searches,
  keys: async () => [
    {
      name: 'Documents',
      keys: [
        ['J', 'Next document'],
        ['K', 'Document before'],
        ['W', 'Write what is proposed'],
        ['D', 'Give its DOI'],
        ['I', 'Give its ISBN'],
        ['T', 'Find it by its title'],
        ['S', 'Skip it'],
        ['R', 'Remove it'],
        ['O', 'Open it at the evidence'],
      ],
    },
  ],
};
