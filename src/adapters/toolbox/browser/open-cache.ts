/** A cache of this device. Null where there is none (a page over http elsewhere than on this device): nothing is kept. */
export const openCache = async (name: string): Promise<Cache | null> =>
  typeof caches === 'undefined' ? null : await caches.open(name).catch(() => null);
