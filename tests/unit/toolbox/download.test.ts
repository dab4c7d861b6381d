/** The download of an engine: in pieces that are kept, gone on with, checked. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { begunBytes, dropParts, PIECE } from '#adapters/toolbox/browser/engine-parts.ts';
import { fetchPack } from '#adapters/toolbox/browser/fetch-pack.ts';
import { CancelSource } from '#core/cancel.ts';

/** Packed badly on purpose: it has three pieces. */
const CONTENT = Buffer.alloc(2 * PIECE + 1000, 7);
const list = Buffer.from(JSON.stringify([{ name: 'program.js', bytes: CONTENT.length }]));
const length = Buffer.alloc(4);
length.writeUInt32BE(list.length);
const PACK = gzipSync(Buffer.concat([length, list, CONTENT]), { level: 0 });
const PLACE = {
  url: '/engine.bin',
  bytes: PACK.length,
  sha256: createHash('sha256').update(PACK).digest('hex'),
};

let asked: string[] = [];
let answers: (range: string | null) => Response | Promise<Response>;

/** As a host that knows ranges. */
function ranged(range: string | null, bytes = PACK): Response {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  return new Response(bytes.subarray(Number(from), Number(to) + 1), { status: 206 });
}

beforeEach(() => {
  const stores = new Map<string, Map<string, Response>>();
  const open = (name: string): object => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return {
      match: (key: string) => Promise.resolve(store.get(key)?.clone()),
      put: (key: string, value: Response) => Promise.resolve(void store.set(key, value)),
      delete: (key: string) => Promise.resolve(store.delete(key)),
    };
  };
  vi.stubGlobal('caches', { open: (name: string) => Promise.resolve(open(name)) });
  asked = [];
  answers = (range) => ranged(range);
  vi.stubGlobal('fetch', (_url: string, { headers, signal }: { headers: { Range: string }; signal: AbortSignal }) => {
    asked.push(headers.Range);
    return new Promise<Response>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      void Promise.resolve(answers(headers.Range)).then(resolve, reject);
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

test('TOOLBOX-85 a download that was paused goes on from the pieces that it had; once it is whole nothing is fetched', async () => {
  const stop = new CancelSource();
  answers = (range) => {
    if (!range?.startsWith(`bytes=${2 * PIECE}-`)) return ranged(range);
    stop.abort();
    return new Promise(() => undefined);
  };
  const shares: number[] = [];
  const paused = fetchPack(PLACE, (share) => shares.push(share), stop);
  await expect(paused).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  expect(await begunBytes(PLACE)).toBe(2 * PIECE);
  expect(shares.at(-1)).toBeCloseTo((2 * PIECE) / PACK.length);

  answers = (range) => ranged(range);
  asked = [];
  const [file] = await fetchPack(PLACE, () => undefined);
  expect(asked).toEqual([`bytes=${2 * PIECE}-${PACK.length - 1}`]);
  expect(Buffer.from(file?.bytes ?? []).equals(CONTENT)).toBe(true);
  expect(await begunBytes(PLACE)).toBe(0);

  asked = [];
  expect(await fetchPack(PLACE, () => undefined)).toHaveLength(1);
  expect(asked).toEqual([]);
});

test('TOOLBOX-85 a piece that is not what was built is refused, and the next try fetches all of it anew', async () => {
  answers = (range) => ranged(range, Buffer.alloc(PACK.length, 1));
  const wrong = fetchPack(PLACE, () => undefined);
  await expect(wrong).rejects.toMatchObject({ failure: { message: expect.stringContaining('not what was built') as string } }); // prettier-ignore
  answers = (range) => ranged(range);
  asked = [];
  await fetchPack(PLACE, () => undefined);
  expect(asked[0]).toBe(`bytes=0-${PIECE - 1}`);
});

test('TOOLBOX-85 a host without ranges sends all of it; what was begun can be removed', async () => {
  answers = () => new Response(PACK, { status: 200 });
  expect(await fetchPack(PLACE, () => undefined)).toHaveLength(1);
  expect(asked).toHaveLength(1);
  const other = { ...PLACE, url: '/other.bin', sha256: '0'.repeat(64) };
  const stop = new CancelSource();
  answers = (range) => {
    if (range?.startsWith('bytes=0-')) return ranged(range);
    stop.abort();
    return new Promise(() => undefined);
  };
  await expect(fetchPack(other, () => undefined, stop)).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  expect(await begunBytes(other)).toBe(PIECE);
  await dropParts(other);
  expect(await begunBytes(other)).toBe(0);
});
