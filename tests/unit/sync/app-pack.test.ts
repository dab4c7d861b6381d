import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { packOf, type PackTable } from '../../../src/service-worker/pack.ts';

const ORIGIN = 'http://127.0.0.1:8787';

/** The browser's caches, as far as they are used. */
class FakeCaches {
  readonly kept = new Map<string, Response>();
  async open() {
    return {
      match: async (path: string) => this.kept.get(path)?.clone(),
      put: async (path: string, response: Response) => {
        // Its body is read at once, as a browser does it.
        this.kept.set(path, new Response(await response.arrayBuffer(), { headers: response.headers }));
      },
      delete: async (request: Request) => this.kept.delete(new URL(request.url).pathname),
      keys: async () => [...this.kept.keys()].map((path) => new Request(ORIGIN + path)),
    };
  }
}

const HEADERS = {
  'content-security-policy': "frame-ancestors 'none'",
  etag: 'x',
  'content-type': 'application/octet-stream',
};

/** What a server of a build with these files answers. */
function built(name: string, contents: Readonly<Record<string, string>>) {
  const whole = Object.values(contents).join('');
  const packed = gzipSync(whole);
  const path = `/_app/immutable/pack-${name}.bin`;
  const table: PackTable = {
    ...{ path, packed: packed.length, sha256: createHash('sha256').update(whole).digest('hex') },
    files: Object.entries(contents).map(([path, content]) => ({
      ...{ path, bytes: Buffer.byteLength(content), type: path.endsWith('.css') ? 'text/css' : 'text/javascript' },
    })),
  };
  for (const [path, content] of Object.entries(contents)) served.set(path, Buffer.from(content));
  served.set(path, packed);
  return table;
}

let store: FakeCaches;
let served: Map<string, Buffer>;
let fetched: string[];
let policy: string;
beforeEach(() => {
  [store, served, fetched] = [new FakeCaches(), new Map(), []];
  policy = HEADERS['content-security-policy'];
  vi.stubGlobal('caches', store);
  vi.stubGlobal('fetch', async (asked: string | Request) => {
    const path = typeof asked === 'string' ? asked : new URL(asked.url).pathname;
    fetched.push(path);
    const bytes = served.get(path);
    return bytes === undefined
      ? new Response(null, { status: 404 })
      : new Response(new Uint8Array(bytes), { headers: { ...HEADERS, 'content-security-policy': policy } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const wanted = (path: string): Request => new Request(ORIGIN + path);
/** Long, and packed to little. */
const long = (word: string): string => `// ${word} ünïcode\n`.repeat(400);
const FIRST = { '/a.1.js': long('a'), '/b.1.js': long('b'), '/c.1.css': 'p { color: red }' };

test('SW-6 small files come by one request, are cut out to the byte, and say their type and what the server said', async () => {
  const pack = packOf(built('one', FIRST));
  await pack.install();
  expect(fetched).toEqual(['/_app/immutable/pack-one.bin']);
  expect([pack.has('/a.1.js'), pack.has('/d.1.js')]).toEqual([true, false]);
  for (const [path, content] of Object.entries(FIRST)) {
    const answer = await pack.answer(wanted(path));
    expect(await answer.text(), path).toBe(content);
    expect(answer.headers.get('content-type')).toBe(path.endsWith('.css') ? 'text/css' : 'text/javascript');
    expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(answer.headers.get('etag')).toBeNull();
  }
  await pack.install();
  expect(fetched).toHaveLength(1);
});

test('SW-6 of an update with little that is new, that alone is fetched, and what former versions kept goes at activation', async () => {
  await packOf(built('one', FIRST)).install();
  fetched = [];
  const next = packOf(built('two', { '/a.1.js': FIRST['/a.1.js'], '/b.2.js': 'b2()', '/c.1.css': FIRST['/c.1.css'] }));
  await next.install();
  expect(fetched).toEqual(['/b.2.js']);
  expect(await (await next.answer(wanted('/b.2.js'))).text()).toBe('b2()');
  expect(await (await next.answer(wanted('/a.1.js'))).text()).toBe(FIRST['/a.1.js']);
  // The version before has its own until then.
  expect(store.kept.has('/_app/immutable/pack-one.bin')).toBe(true);
  await next.activate();
  expect([...store.kept.keys()]).toEqual(['/_app/immutable/pack-two.bin.json', '/_app/immutable/pack-two.bin']);
  expect((await next.answer(wanted('/b.2.js'))).headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
});

test('SW-6 what the server says with an update counts for the files that stayed, too', async () => {
  await packOf(built('one', FIRST)).install();
  policy = "frame-ancestors 'none'; connect-src https:";
  const next = packOf(built('two', { ...FIRST, '/d.2.js': 'export {}' }));
  await next.install();
  const answer = await next.answer(wanted('/a.1.js'));
  expect(answer.headers.get('content-security-policy')).toBe(policy);
  expect(await answer.text()).toBe(FIRST['/a.1.js']);
});

test('SW-6 of an update with much that is new the pack is fetched', async () => {
  await packOf(built('one', FIRST)).install();
  fetched = [];
  await packOf(built('two', { '/a.2.js': long('a2'), '/b.2.js': long('b2'), '/c.1.css': FIRST['/c.1.css'] })).install();
  expect(fetched).toEqual(['/_app/immutable/pack-two.bin']);
});

test('SW-6 what is cut short, changed or gone on its way fails the installation, and nothing of it is kept', async () => {
  const table = built('one', FIRST);
  const whole = served.get(table.path) ?? Buffer.alloc(0);
  for (const bad of [whole.subarray(0, whole.length - 20), gzipSync('other'), null]) {
    if (bad === null) served.delete(table.path);
    else served.set(table.path, bad);
    await expect(packOf(table).install()).rejects.toThrow();
  }
  expect([...store.kept.keys()]).toEqual([]);
  served.set(table.path, whole);
  await packOf(table).install();
  // A new file that the server no longer has, or has another of.
  const update = built('two', { ...FIRST, '/b.1.js': FIRST['/b.1.js'], '/d.1.js': 'd()' });
  served.set('/d.1.js', Buffer.from('other()'));
  await expect(packOf(update).install()).rejects.toThrow('/d.1.js is not what was built');
  served.delete('/d.1.js');
  await expect(packOf(update).install()).rejects.toThrow('404');
});

test('SW-6 a pack that the browser has thrown away is no failure: its files come from the network', async () => {
  const pack = packOf(built('one', FIRST));
  await pack.install();
  store.kept.clear();
  fetched = [];
  expect(await (await pack.answer(wanted('/a.1.js'))).text()).toBe(FIRST['/a.1.js']);
  expect(fetched).toEqual(['/a.1.js']);
});

test('SW-6 a pack without its list, as a killed installation leaves it, is not looked into', async () => {
  await packOf(built('one', FIRST)).install();
  store.kept.delete('/_app/immutable/pack-one.bin.json');
  fetched = [];
  await packOf(built('two', { ...FIRST, '/d.1.js': 'd()' })).install();
  expect(fetched).toEqual(['/_app/immutable/pack-two.bin']);
});
