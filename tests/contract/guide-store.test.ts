import { MemoryRunStore, archiveOf } from '#lanes/guide/core/run/memory-run-store.ts';
import { MemoryGuideStore } from '#lanes/guide/core/store/memory-guide-store.ts';
import { guideRunStoreContract } from './guide-run-store.ts';
import { guideStoreContract } from './guide-store.ts';

guideStoreContract('memory', () => Promise.resolve({ store: new MemoryGuideStore() }));
guideRunStoreContract('memory', () => {
  const store = new MemoryRunStore();
  return Promise.resolve({ store, archive: archiveOf(store) });
});
