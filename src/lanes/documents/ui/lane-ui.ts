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
  async taken(batchId) {
    const batch = await db.batches.get(batchId);
    if (!batch?.companions.some(({ kind }) => kind === 'document')) return false;
    await (await import('./page/taken-documents.ts')).showTaken(batch);
    return true;
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
