import { CacheFirst } from 'workbox-strategies';

const CACHE = 'codecs';

export interface Codecs {
  has(path: string): boolean;
  /** From the cache, else from the network into the cache. */
  answer(options: { event: ExtendableEvent; request: Request }): Promise<Response>;
  /** Fetches what is not there yet and drops what another version had. Never throws: offline, a later visit does it. */
  warm(): Promise<void>;
}

/**
 * Large files whose name carries their hash: what is cached under a name is right for ever. `later` are kept when they
 * were used, and not fetched before.
 */
export function codecs(paths: readonly string[], later: readonly string[] = []): Codecs {
  const ahead = new Set(paths);
  const known = new Set([...paths, ...later]);
  const strategy = new CacheFirst({
    cacheName: CACHE,
    plugins: [{ cacheWillUpdate: async ({ response }) => (response.status === 200 ? response : null) }],
  });
  let warming: Promise<void> | null = null;

  async function fetchAll(): Promise<void> {
    const cache = await caches.open(CACHE);
    for (const request of await cache.keys()) {
      if (!known.has(new URL(request.url).pathname)) await cache.delete(request);
    }
    for (const path of paths) if ((await cache.match(path)) === undefined) await cache.add(path);
  }

  return {
    has: (path) => known.has(path),
    async answer(options) {
      // Under way already: not fetched a second time. What is kept when it was used waits for none of them.
      if (ahead.has(new URL(options.request.url).pathname)) await warming;
      return strategy.handle(options);
    },
    warm() {
      warming ??= fetchAll()
        .catch(() => undefined)
        .finally(() => {
          warming = null;
        });
      return warming;
    },
  };
}
