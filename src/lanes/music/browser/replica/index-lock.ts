/** Catalogs of fewer tracks are built at every start: it takes no longer than a few seconds. */
export const LEAST_STORED = 50_000;

/** Tabs build and store the matcher's index one after the other; files that no row names are collected meanwhile. */
export async function underIndexLock<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('accession-index', work) : work();
}
