import type { CatalogFile } from '#core/music/catalog.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { ADMIN_USER } from './auth/tokens.ts';
import { createRequest, type Wanted } from './catalog/requests.ts';
import { importCatalog } from './import/import-catalog.ts';
import { readMeta, writeMeta, type Store } from './store/store.ts';

const FIRST_START = 'first_start';

export interface Demo {
  demoCatalog: CatalogFile;
  demoRequests: readonly Wanted[];
}

/**
 * On the very first start, loads the demo into a catalog that is still empty. Without a demo the start counts all
 * the same: a catalog that was begun empty stays the person's own.
 */
export async function onFirstStart(
  store: Store,
  using: { ids: Ids; clock: Clock },
  demo: (() => Promise<Demo>) | null,
): Promise<boolean> {
  if ((await readMeta(store.db, FIRST_START)) !== null) return false;
  const loaded = demo === null ? null : await demo();
  return store.write(async (tx) => {
    await writeMeta(tx, FIRST_START, String(using.clock.now()));
    const filled = await tx.selectFrom('artists').select('id').limit(1).executeTakeFirst();
    if (!loaded || filled) return false;
    await importCatalog(tx, loaded.demoCatalog);
    for (const wanted of loaded.demoRequests) await createRequest(tx, using, ADMIN_USER, wanted);
    return true;
  });
}
