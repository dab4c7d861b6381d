import LibraryBig from '@lucide/svelte/icons/library-big';
import { db } from '#ui/client/db.ts';
import type { LaneSearch } from '#ui/lane-ui.ts';
import { symbolHits } from './find-symbols.ts';

export const searches: readonly LaneSearch[] = [
  {
    heading: 'Symbols',
    icon: LibraryBig,
    /** The worker is started only where there is a library. */
    find: async (words) => symbolHits(words, (await db.library_folders.count()) > 0),
  },
];
