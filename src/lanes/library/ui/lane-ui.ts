import LibraryBig from '@lucide/svelte/icons/library-big';
import { db } from '#ui/client/db.ts';
import type { LaneUi } from '#ui/lane-ui.ts';

export const ui: LaneUi = {
  id: 'library',
  places: [{ id: 'library', path: 'library', also: ['ask'], label: 'Library', icon: LibraryBig }],
  pages: [
    { path: 'library', load: async (...page) => (await import('./pages.ts')).libraryPage(...page) },
    { path: 'ask', load: async (...page) => (await import('./pages.ts')).askPage(...page) },
    { path: 'library/[id]', load: async (...page) => (await import('./pages.ts')).folderPage(...page) },
    { path: 'library/[id]/file', load: async (...page) => (await import('./pages.ts')).filePage(...page) },
  ],
  drops: {
    label: 'Library',
    priority: 50,
    // Of a folder of code or notes; what else is in it goes with them.
    names:
      /\.(?:md|markdown|txt|html?|xml|ya?ml|py|[cm]?[jt]sx?|cs|go|rs|java|c|cc|cpp|h|hpp|rb|php|kt|lua|r|sh|lisp|el|clj|scm)$/i,
    load: async () => (await import('./page/drop-taker.ts')).taker,
  },
  keeps: async () => (await db.library_folders.count()) > 0,
  searches: async () => (await import('./page/palette-search.ts')).searches,
  keys: async () => (await import('./pages.ts')).keys,
};
