import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressOf, encodeKey } from '#adapters/node/s3-client.ts';
import { openS3Media as openStore } from '#adapters/node/s3-media-store.ts';
import { clientOf, openS3Media } from '../fixtures/s3-media.ts';
import type { Asked, S3Fault } from '../fixtures/s3-server.ts';
import { mediaStoreContract, read, uploadOf } from './media-store.ts';

mediaStoreContract('S3MediaStore', () => openS3Media());

test('STORE-24 the bucket is in the path or in the name of the host', () => {
  const place = { endpoint: 'https://s3.test:9000/base', bucket: 'music' };
  const key = encodeKey("a b/c+(d)'%.ogg");
  expect(addressOf({ ...place, pathStyle: true }, key)).toBe(
    'https://s3.test:9000/base/music/a%20b/c%2B%28d%29%27%25.ogg',
  );
  expect(addressOf({ ...place, pathStyle: true }, '', { uploads: '' })).toBe(
    'https://s3.test:9000/base/music?uploads=',
  );
  expect(addressOf({ ...place, endpoint: 'https://s3.test', pathStyle: false }, key)).toBe(
    'https://music.s3.test/a%20b/c%2B%28d%29%27%25.ogg',
  );
});

describe('a bucket that fails', () => {
  const SMALL = Buffer.from('published audio');
  const BIG = Buffer.alloc(8_400_000, 'ogg');
  let opened: Awaited<ReturnType<typeof openS3Media>>;
  beforeEach(async () => {
    opened = await openS3Media();
  });
  afterEach(() => opened.close());

  /** The fault for the first requests like this one. */
  function inject(fault: S3Fault, like: (asked: Asked) => boolean, times = 1): void {
    let left = times;
    opened.server.fault = (asked) => (like(asked) && left-- > 0 ? fault : null);
  }
  const wholePut = ({ method, query }: Asked): boolean => method === 'PUT' && query.size === 0;
  const partPut = ({ query }: Asked): boolean => query.get('partNumber') === '2';
  const join2 = ({ method, query }: Asked): boolean => method === 'POST' && query.has('uploadId');
  const counts = () => [opened.server.objects.size, opened.server.uploads.size];

  test.each([
    ['slow-down', SMALL, wholePut],
    ['cut', SMALL, wholePut],
    ['cut-answer', SMALL, wholePut],
    ['no-conditions', SMALL, wholePut],
    ['slow-down', BIG, partPut],
    ['cut', BIG, partPut],
    ['cut-answer', BIG, partPut],
    ['cut-answer', BIG, join2],
    ['no-conditions', BIG, join2],
  ] as const)('STORE-21 %s once (%#) is got over: the object is there, once and right', async (fault, bytes, like) => {
    const sha = await uploadOf(opened, bytes);
    inject(fault, like);
    expect(await opened.store.place(sha, 'a.ogg')).toBe(true);
    expect([...counts(), await opened.store.size('a.ogg')]).toEqual([1, 0, bytes.length]);
  });

  test.each([
    ['slow-down', SMALL, wholePut, 'storage_failed'],
    ['cut-answer', SMALL, wholePut, 'storage_failed'],
    ['full', SMALL, wholePut, 'storage_full'],
    ['slow-down', BIG, partPut, 'storage_failed'],
    ['wrong-etag', BIG, partPut, 'storage_failed'],
    ['error-in-200', BIG, join2, 'storage_failed'],
    ['cut-answer', BIG, join2, 'storage_failed'],
  ] as const)(
    'STORE-22 %s without end (%#) leaves nothing, and it works afterwards',
    async (fault, bytes, like, code) => {
      const sha = await uploadOf(opened, bytes);
      inject(fault, like, 100);
      await expect(opened.store.place(sha, 'a.ogg')).rejects.toMatchObject({ failure: { code } });
      expect(counts()).toEqual([0, 0]);
      opened.server.fault = () => null;
      expect(await opened.store.place(sha, 'a.ogg')).toBe(true);
    },
  );

  test('STORE-22 what is not what its name says is not there', async () => {
    for (const bytes of [SMALL, BIG]) {
      const sha = await uploadOf(opened, bytes);
      await writeFile(join(opened.data, 'uploads', sha), Buffer.concat([bytes.subarray(1), Buffer.from('x')]));
      await expect(opened.store.place(sha, 'a.ogg')).rejects.toThrow('changed on the disk');
      expect(counts()).toEqual([0, 0]);
    }
  });

  test('STORE-21 a connection that breaks while reading is taken up where it broke', async () => {
    const sha = await uploadOf(opened, SMALL);
    await opened.store.place(sha, 'a.ogg');
    inject('cut-content', ({ method }) => method === 'GET', 2);
    expect(await read(opened.store.read('a.ogg', 0, SMALL.length))).toBe('published audio');
    inject('cut-content', ({ method }) => method === 'GET', 2);
    await opened.store.removeUpload(sha);
    await opened.store.adopt('a.ogg', sha);
    expect(await read(opened.store.readUpload(sha))).toBe('published audio');
  });

  test('STORE-22 what could not be copied to the former audio stays where it is', async () => {
    const sha = await uploadOf(opened, SMALL);
    await opened.store.place(sha, 'a.ogg');
    inject('error-in-200', ({ key }) => key.includes('media-former'), 100);
    await expect(opened.store.retire('a.ogg', 'b.ogg')).rejects.toMatchObject({ code: 'InternalError' });
    opened.server.fault = () => null;
    expect(await opened.store.size('a.ogg')).toBe(SMALL.length);
    await opened.store.retire('a.ogg', 'b.ogg');
    expect([await opened.store.size('a.ogg'), await opened.store.adoptFormer('b.ogg', sha)]).toEqual([null, true]);
  });

  test('STORE-22 parts that a killed server left are ended a day later, and none of others (STORE-28)', async () => {
    const { server, store } = opened;
    const left = { meta: {}, parts: new Map(), initiated: server.now };
    server.uploads.set('ours', { ...left, key: 'a+b/media/x & y.ogg' });
    server.uploads.set('theirs', { ...left, key: 'other/media/x.ogg' });
    expect(await store.prepare(server.now + 3_600_000)).toEqual({ refusesOverwriting: true });
    expect([...server.uploads.keys()]).toEqual(['ours', 'theirs']);
    await store.prepare(server.now + 90_000_000);
    expect([[...server.uploads.keys()], server.objects.size]).toEqual([['theirs'], 0]);
    inject('no-conditions', wholePut);
    expect(await store.prepare(server.now)).toEqual({ refusesOverwriting: false });
  });

  test('STORE-23 a wrong bucket, key, region or address is said in a sentence without the key', async () => {
    const told = async (options: Parameters<typeof clientOf>[1]): Promise<string> => {
      const store = await openStore(opened.data, clientOf(opened.server, options));
      return store.check().then(
        () => 'works',
        (error: unknown) => String(error),
      );
    };
    const { url } = opened.server;
    expect(await told({})).toBe('works');
    expect(await told({ bucket: 'nowhere' })).toBe(`Error: There is no bucket "nowhere" at ${url}.`);
    expect(await told({ accessKeyId: 'AKOTHER' })).toContain('does not know the access key.');
    expect(await told({ secret: () => Promise.resolve('wrong') })).toContain('the secret access key is wrong.');
    expect(await told({ region: 'us-east-1' })).toContain('is not in the region "us-east-1"');
    expect(await told({ endpoint: 'http://127.0.0.1:9' })).toMatch(/cannot be reached \(.+\)\.$/);
    // A key by command that was replaced meanwhile is asked for again.
    const secret = (refused: string | null) => Promise.resolve(refused === null ? 'old' : 'a secret/of+tests');
    expect(await told({ secret })).toBe('works');
  });
});
