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
 * were used, and not fetched before, but for those in `behind`, which come in the background when all of `paths` are there.
 */
export function codecs(
  paths: readonly string[],
  later: readonly string[] = [],
  behind: readonly string[] = [],
): Codecs {
  const ahead = new Set(paths);
  const known = new Set([...paths, ...later]);
  const strategy = new CacheFirst({
    cacheName: CACHE,
    plugins: [{ cacheWillUpdate: async ({ response }) => (response.status === 200 ? response : null) }],
  });
  /** Whether all of `paths` are there then. */
  let warming: Promise<boolean> | null = null;
  /** Nothing waits for it: what was used meanwhile is kept before all of these are. */
  let last: Promise<void> | null = null;

  async function dropOthers(): Promise<void> {
    const cache = await caches.open(CACHE);
    for (const request of await cache.keys()) {
      if (!known.has(new URL(request.url).pathname)) await cache.delete(request);
    }
  }

  async function fetchAll(wanted: readonly string[]): Promise<void> {
    const cache = await caches.open(CACHE);
    for (const path of wanted) if ((await cache.match(path)) === undefined) await cache.add(path);
  }

  function warmFirst(): Promise<boolean> {
    warming ??= dropOthers()
      .then(() => fetchAll(paths))
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        warming = null;
      });
    return warming;
  }

  /** In the cache once the large ones are: a browser has it from its own store then. */
  async function keepBehind(path: string): Promise<void> {
    await warming;
    const cache = await caches.open(CACHE);
    if ((await cache.match(path)) === undefined) await cache.add(path);
  }

  return {
    has: (path) => known.has(path),
    async answer(options) {
      const { event, request } = options;
      // A piece of one: who asks keeps it, and all of it when it is whole.
      if (request.headers.has('range')) return fetch(request);
      const { pathname } = new URL(request.url);
      // Under way already: not fetched a second time.
      if (ahead.has(pathname)) await warming;
      else if (warming !== null) {
        // Firefox may keep whoever asks the cache waiting for as long as large files are written into it.
        const answer = await fetch(request).catch(() => null);
        if (answer?.ok === true) {
          event.waitUntil(keepBehind(pathname).catch(() => undefined));
          return answer;
        }
      }
      return strategy.handle(options);
    },
    warm() {
      last ??= warmFirst()
        .then((all) => fetchAll(all ? behind : []))
        .catch(() => undefined)
        .finally(() => {
          last = null;
        });
      return last;
    },
  };
}
