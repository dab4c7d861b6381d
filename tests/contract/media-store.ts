import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Upload } from '@tus/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UploadFiles } from '#adapters/node/disk-uploads.ts';
import type { MediaStore } from '#core/ports.ts';

export interface OpenedMedia {
  store: MediaStore & { uploads: UploadFiles };
  /** The data directory. */
  data: string;
  close(): Promise<void>;
}

/** A path as the catalog makes them, with what an address, a signature and XML have to think about. */
const PATH = 'Sigur Rós & "Co"/Ágætis byrjun (1999)/1-01 It\'s 100% +1 #2 ~!*;=@,$ 東京?.ogg';
const OTHER = 'Other/Album/1-02 Two.ogg';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Puts a whole upload where tus would have put it. */
export async function uploadOf({ store, data }: OpenedMedia, bytes: Uint8Array): Promise<string> {
  const sha256 = sha256Of(bytes);
  await writeFile(join(data, 'uploads', sha256), bytes);
  const upload = new Upload({ id: sha256, size: bytes.length, offset: bytes.length, metadata: {} });
  await store.uploads.configstore.set(sha256, upload);
  return sha256;
}

export async function read(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString('latin1');
}

/** Runs the conformance suite of the MediaStore port (src/core/ports.ts); each case gets a store of its own, empty. */
export function mediaStoreContract(name: string, open: () => Promise<OpenedMedia>): void {
  describe(`${name} keeps the MediaStore contract`, () => {
    const bytes = Buffer.from('published audio');
    let opened: OpenedMedia;
    let store: OpenedMedia['store'];
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    test('STORE-20 an upload is found, read, listed and removed', async () => {
      expect(await store.upload('a'.repeat(64))).toBeNull();
      const sha = await uploadOf(opened, bytes);
      expect(await store.upload(sha)).toMatchObject({ size: bytes.length, received: bytes.length, complete: true });
      expect(await read(store.readUpload(sha))).toBe('published audio');
      expect((await store.listUploads()).map((one) => one.sha256)).toEqual([sha]);
      await store.removeUpload(sha);
      await store.removeUpload(sha);
      expect([await store.upload(sha), await store.listUploads()]).toEqual([null, []]);
    });

    test('STORE-20 what is placed is there under its path, whole and in ranges, and the upload stays', async () => {
      const sha = await uploadOf(opened, bytes);
      expect(await store.size(PATH)).toBeNull();
      expect(await store.place(sha, PATH)).toBe(true);
      expect([await store.size(PATH), (await store.upload(sha))?.complete]).toEqual([bytes.length, true]);
      expect(await read(store.read(PATH, 0, bytes.length))).toBe('published audio');
      expect(await read(store.read(PATH, 3, 9))).toBe('lished');
      expect(await read(store.read(PATH, bytes.length - 1, bytes.length))).toBe('o');
      expect(await read(store.read(PATH, 5, 5))).toBe('');
      await store.removeUpload(sha);
      expect(await store.size(PATH)).toBe(bytes.length);
    });

    test('PLACE-2 nothing is written over', async () => {
      const sha = await uploadOf(opened, bytes);
      const other = await uploadOf(opened, Buffer.from('something else'));
      expect([await store.place(sha, OTHER), await store.place(other, OTHER)]).toEqual([true, false]);
      expect(await store.place(sha, OTHER)).toBe(false);
      expect(await read(store.read(OTHER, 0, bytes.length))).toBe('published audio');
      const both = await Promise.all([store.place(sha, PATH), store.place(other, PATH)]);
      expect(both.filter(Boolean)).toHaveLength(1);
      const size = (await store.size(PATH)) ?? 0;
      expect(await read(store.read(PATH, 0, size))).toBe(both[0] ? 'published audio' : 'something else');
    });

    test('STORE-20 a placed file becomes an upload again, and so does a former one', async () => {
      const sha = await uploadOf(opened, bytes);
      await store.place(sha, PATH);
      await store.removeUpload(sha);
      await store.adopt(PATH, sha);
      expect([await read(store.readUpload(sha)), (await store.upload(sha))?.complete]).toEqual([
        'published audio',
        true,
      ]);
      await store.removeUpload(sha);
      await store.retire(PATH, OTHER);
      await store.retire(PATH, OTHER);
      expect(await store.size(PATH)).toBeNull();
      await expect(store.adopt(PATH, sha)).rejects.toThrow('gone');
      expect(await store.adoptFormer(PATH, sha)).toBe(false);
      expect(await store.adoptFormer(OTHER, sha)).toBe(true);
      expect(await read(store.readUpload(sha))).toBe('published audio');
      expect(await store.place(sha, PATH)).toBe(true);
    });

    test('STORE-20 a placed file is removed, and no other', async () => {
      const sha = await uploadOf(opened, bytes);
      await store.place(sha, PATH);
      await store.place(sha, OTHER);
      await store.remove(PATH);
      await store.remove(PATH);
      expect([await store.size(PATH), await store.size(OTHER)]).toEqual([null, bytes.length]);
    });

    test('STORE-20 nothing at all can be placed, and files of several pieces', async () => {
      const nothing = await uploadOf(opened, Buffer.alloc(0));
      const big = Buffer.alloc(9_000_001, 'abcdefg');
      const sha = await uploadOf(opened, big);
      expect([await store.place(nothing, OTHER), await store.place(sha, PATH)]).toEqual([true, true]);
      expect([await store.size(OTHER), await store.size(PATH)]).toEqual([0, big.length]);
      expect(await read(store.read(PATH, 8_388_600, 8_388_616))).toBe(big.toString('latin1', 8_388_600, 8_388_616));
      expect(sha256Of(Buffer.from(await read(store.read(PATH, 0, big.length)), 'latin1'))).toBe(sha);
    });

    test('OPS-40 files are listed, have a mark that changes with them, and are set aside', async () => {
      const sha = await uploadOf(opened, bytes);
      const other = await uploadOf(opened, Buffer.from('something else'));
      for (const path of [PATH, OTHER, 'A/B/1-03 Three.ogg']) await store.place(sha, path);
      await store.place(sha, 'Former/One.ogg', 'media-former');
      expect((await Array.fromAsync(store.list('media'))).sort()).toEqual([PATH, OTHER, 'A/B/1-03 Three.ogg'].sort());
      expect(await Array.fromAsync(store.list('media-former'))).toEqual(['Former/One.ogg']);
      const former = await store.state('Former/One.ogg', 'media-former');
      expect([former?.size, await store.state('Former/One.ogg')]).toEqual([bytes.length, null]);
      expect(await read(store.read('Former/One.ogg', 0, 4, 'media-former'))).toBe('publ');

      const before = await store.state(PATH);
      expect((await store.state(PATH))?.mark).toBe(before?.mark);
      await store.setAside(PATH, 'media');
      await store.setAside(PATH, 'media');
      expect(await store.state(PATH)).toBeNull();
      await store.place(other, PATH);
      expect((await store.state(PATH))?.mark).not.toBe(before?.mark);
    });

    test('OPS-40 bytes from elsewhere are an upload where they have the hash, and otherwise nothing', async () => {
      const chunks = async function* () {
        yield* [bytes.subarray(0, 5), bytes.subarray(5)];
      };
      expect(await store.putUpload(sha256Of(bytes), chunks())).toBe(true);
      expect(await read(store.readUpload(sha256Of(bytes)))).toBe('published audio');
      expect((await store.upload(sha256Of(bytes)))?.complete).toBe(true);
      expect(await store.putUpload('a'.repeat(64), chunks())).toBe(false);
      expect(await store.upload('a'.repeat(64))).toBeNull();
    });

    test('PLACE-1 a path that leads out is refused', async () => {
      for (const path of ['../secret', '/etc/passwd', 'a/../../secret', '']) {
        await expect(
          Promise.resolve().then(() => store.size(path)),
          path,
        ).rejects.toThrow('left its directory');
      }
    });
  });
}
