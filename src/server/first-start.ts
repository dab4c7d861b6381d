import type { Clock, Ids } from '#core/ports.ts';
import type { LaneServer } from './lane-server.ts';
import { readMeta, writeMeta, type Store } from './store/store.ts';

const FIRST_START = 'first_start';

/**
 * On the very first start, lets the lanes load their demo into what is still empty. Without a demo the start counts all
 * the same: a catalog that was begun empty stays the person's own. True where something was loaded.
 */
export async function onFirstStart(
  store: Store,
  using: { ids: Ids; clock: Clock },
  lanes: readonly LaneServer[],
): Promise<boolean> {
  if ((await readMeta(store.db, FIRST_START)) !== null) return false;
  return store.write(async (tx) => {
    await writeMeta(tx, FIRST_START, String(using.clock.now()));
    let loaded = false;
    for (const lane of lanes) if ((await lane.demo?.(tx, using)) === true) loaded = true;
    return loaded;
  });
}
