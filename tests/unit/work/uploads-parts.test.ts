import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import { IndexedDbBlobStore } from '#adapters/browser/blobs/blob-store-indexeddb.ts';
import { freeBlobs, freeStorage, reportStorage } from '#adapters/browser/blobs/storage.ts';
import { heldBlobs, holding } from '#adapters/browser/uploads/held-blobs.ts';
import { permissionOf } from '#adapters/browser/uploads/permission.ts';
import { roomFor } from '#adapters/browser/uploads/one-upload.ts';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { openDatabase } from '#lanes/database.ts';
import { countingIds, makeJob, testClock } from '../../fixtures/job.ts';
import { musicStation } from '../../fixtures/music-station.ts';

const HOUR = 3_600_000;

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

describe('files of an upload in this browser', () => {
  test('WORK-26 are not collected while they are worked on, and are freed but for what the person’s own need', async () => {
    const db = openDatabase(`held-${crypto.randomUUID()}`);
    const clock = testClock();
    const blobs = new IndexedDbBlobStore(db, { now: () => clock.now() });
    const held = holding(db, blobs);
    const theirs = await held.put(bytes('theirs'));
    const both = await held.put(bytes('theirs and mine'));
    const archive = await held.keep(bytes('a ZIP'));
    const stray = await blobs.put(bytes('nobody’s'));
    await db.jobs.put(makeJob({ id: 'own', sha256: both.sha256 }));
    clock.advance(2 * HOUR);
    const ids = countingIds();
    const store = musicStation(db, { clock, ids }).store();
    await freeStorage({ db, blobs, clock, ids, store });
    const left = async () => {
      const all = [theirs, both, archive, stray].map(({ sha256 }) => blobs.size(sha256));
      return (await Promise.all(all)).map((size) => size !== null);
    };
    expect(await left()).toEqual([true, true, true, false]);
    expect((await reportStorage(db, blobs)).freeable).toBe(0);
    expect(await freeBlobs(db, blobs, await heldBlobs(db))).toBe(true);
    expect(await left()).toEqual([false, true, false, false]);
    db.close();
  });

  test('WORK-25, WORK-33 want room for twice their size; a browser that does not say has it', () => {
    const claim = { batch: { label: 'Album' }, files: [{ size: 600 }, { size: 400 }] };
    const room = (free: number | null) => roomFor(claim, free);
    expect(room(null)).toBeNull();
    expect(room(2000)).toBeNull();
    expect(room(1999)?.message).toContain('"Album"');
  });
});

describe('whether a token may work', () => {
  test('WORK-21 is asked once; one that may not is asked about again later, and a new one at once', async () => {
    const clock = testClock();
    let token: string | null = null;
    let scopes = ['ReadCatalog'];
    let asked = 0;
    const me = () => Promise.resolve((asked += 1) === 1 ? fail(failure('offline', 'Away.')) : ok({ scopes }));
    const permission = permissionOf(() => Promise.resolve(token), me, clock);
    expect(await permission.mayWork()).toBe(false);
    expect(asked).toBe(0);
    token = 'a';
    expect([await permission.mayWork(), await permission.mayWork(), await permission.mayWork()]).toEqual(
      Array(3).fill(false),
    );
    expect(asked).toBe(2);
    scopes = ['EditCatalog'];
    clock.advance(HOUR);
    expect([await permission.mayWork(), await permission.mayWork()]).toEqual([true, true]);
    expect(asked).toBe(3);
    token = 'b';
    scopes = [];
    expect(await permission.mayWork()).toBe(false);
  });
});
