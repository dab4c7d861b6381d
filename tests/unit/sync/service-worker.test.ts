import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codecs } from '../../../src/service-worker/codecs.ts';
import { takeShare } from '../../../src/service-worker/share-target.ts';

declare global {
  /** Of a service worker's types, which pages do not have. */
  interface ExtendableEvent extends Event {
    waitUntil(work: Promise<unknown>): void;
  }
}

const ORIGIN = 'http://127.0.0.1:8787';

/** The browser's caches, as far as they are used; `add` fetches. */
class FakeCaches {
  readonly kept = new Map<string, Map<string, Response>>();
  async open(name: string) {
    const cache = this.kept.get(name) ?? new Map<string, Response>();
    this.kept.set(name, cache);
    return {
      match: async (path: string) => cache.get(path),
      put: async (path: string, response: Response) => void cache.set(path, response),
      add: async (path: string) => void cache.set(path, await fetch(path)),
      delete: async (request: Request) => cache.delete(new URL(request.url).pathname),
      keys: async () => [...cache.keys()].map((path) => new Request(ORIGIN + path)),
    };
  }
}

vi.mock('workbox-strategies', () => ({
  CacheFirst: class {
    async handle({ request }: { request: Request }): Promise<Response> {
      const cache = await caches.open('codecs');
      const path = new URL(request.url).pathname;
      const known = await cache.match(path);
      if (known) return known;
      await cache.add(path);
      return (await cache.match(path)) ?? new Response(null, { status: 404 });
    }
  },
}));

let store: FakeCaches;
let fetched: string[];
beforeEach(() => {
  store = new FakeCaches();
  fetched = [];
  vi.stubGlobal('caches', store);
  vi.stubGlobal('fetch', async (path: string) => {
    fetched.push(path);
    await new Promise((resolve) => setImmediate(resolve));
    return new Response('wasm');
  });
});
afterEach(() => vi.unstubAllGlobals());

const event = Object.assign(new Event('fetch'), { waitUntil: () => undefined });
const wanted = (path: string) => ({ event, request: new Request(ORIGIN + path) });

test('SW-3 large files come in the background or at their first use, whichever is first, and never twice', async () => {
  const heavy = codecs(['/core.1.wasm', '/vorbis.1.wasm'], ['/engine.1.wasm']);
  const warming = heavy.warm();
  // Wanted while they are on their way.
  await Promise.all([heavy.answer(wanted('/core.1.wasm')), warming, heavy.warm()]);
  expect(fetched).toEqual(['/core.1.wasm', '/vorbis.1.wasm']);
  await heavy.warm();
  expect(fetched).toHaveLength(2);
  // What is kept when it was used is not fetched before.
  expect([heavy.has('/engine.1.wasm'), heavy.has('/other.wasm')]).toEqual([true, false]);
  await heavy.answer(wanted('/engine.1.wasm'));
  await heavy.answer(wanted('/engine.1.wasm'));
  expect(fetched).toEqual(['/core.1.wasm', '/vorbis.1.wasm', '/engine.1.wasm']);
});

test('UI-390, SW-3 what the demos run on comes behind the large files, without being asked for, and once', async () => {
  const heavy = codecs(['/core.1.wasm'], ['/engine.1.wasm', '/pdf.1.js'], ['/pdf.1.js']);
  await heavy.warm();
  expect(fetched).toEqual(['/core.1.wasm', '/pdf.1.js']);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  expect(await (await heavy.answer(wanted('/pdf.1.js'))).text()).toBe('wasm');
  await expect(heavy.answer(wanted('/engine.1.wasm'))).rejects.toThrow('offline');
});

test('SW-7, UI-390 what is used while the files of the demos are under way is kept before those are', async () => {
  const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<null>();
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/pdf.1.js') await goOn;
    return new Response(path);
  });
  const heavy = codecs(['/core.1.wasm'], ['/engine.1.wasm', '/pdf.1.js'], ['/pdf.1.js']);
  const warming = heavy.warm();
  await expect.poll(() => store.kept.get('codecs')?.has('/core.1.wasm')).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  await heavy.answer(wanted('/engine.1.wasm'));
  const kept = (): string[] => [...(store.kept.get('codecs')?.keys() ?? [])];
  expect(kept()).toEqual(['/core.1.wasm', '/engine.1.wasm']);
  letGoOn(null);
  await warming;
  expect(kept()).toEqual(['/core.1.wasm', '/engine.1.wasm', '/pdf.1.js']);
});

test('SW-7 what is kept when it was used comes while the large files are under way', async () => {
  const { promise: goOn, resolve } = Promise.withResolvers<null>();
  vi.stubGlobal('fetch', async (asked: string | Request) => {
    const path = typeof asked === 'string' ? asked : new URL(asked.url).pathname;
    if (path === '/core.1.wasm') await goOn;
    return new Response(path);
  });
  const held: Promise<unknown>[] = [];
  const waiting = Object.assign(new Event('fetch'), { waitUntil: (work: Promise<unknown>) => void held.push(work) });
  const heavy = codecs(['/core.1.wasm'], ['/engine.1.wasm']);
  const warming = heavy.warm();
  const engine = { ...wanted('/engine.1.wasm'), event: waiting };
  expect(await (await heavy.answer(engine)).text()).toBe('/engine.1.wasm');
  // The cache is not asked before they are in it; then it is kept.
  expect([...(store.kept.get('codecs')?.keys() ?? [])]).toEqual([]);
  resolve(null);
  await warming;
  await Promise.all(held);
  expect([...(store.kept.get('codecs')?.keys() ?? [])]).toEqual(['/core.1.wasm', '/engine.1.wasm']);
});

test('SW-3 of another version nothing stays, and offline it is left for a later visit', async () => {
  await codecs(['/core.1.wasm']).warm();
  await codecs(['/core.2.wasm']).warm();
  expect([...(store.kept.get('codecs')?.keys() ?? [])]).toEqual(['/core.2.wasm']);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  await expect(codecs(['/core.3.wasm']).warm()).resolves.toBeUndefined();
});

test('SW-4 what another app shares is put away with its names, beside what waits, for the page that takes it in', async () => {
  const share = async (...files: File[]): Promise<Response> => {
    const body = new FormData();
    for (const file of files) body.append('files', file);
    vi.stubGlobal(
      'Response',
      class extends Response {
        static override redirect(url: string, status: number): Response {
          return new Response(null, { status, headers: { location: url } });
        }
      },
    );
    return takeShare(new Request(`${ORIGIN}/share`, { method: 'POST', body }));
  };
  const answer = await share(new File(['a'], 'Ångström – 1.flac', { type: 'audio/flac' }), new File(['b'], 'b.zip'));
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/share']);
  await share(new File(['c'], 'c.mp3'));
  const kept = [...(store.kept.get('share-target')?.values() ?? [])];
  const names = kept.map((response) => decodeURIComponent(response.headers.get('x-file-name') ?? ''));
  expect(names).toEqual(['Ångström – 1.flac', 'b.zip', 'c.mp3']);
  expect(await kept[0]?.text()).toBe('a');
  vi.stubGlobal('caches', { open: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) });
  expect((await share(new File(['d'], 'd.mp3'))).headers.get('location')).toBe('/share?failed');
});
