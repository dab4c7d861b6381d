import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, test, vi } from 'vitest';
import { localLocks } from '#adapters/browser/stage/locks.ts';
import { MemoryBlobStore } from '../../fixtures/memory-blobs.ts';
import { flac, HEADS, text } from '../../fixtures/heads.ts';
import { dropped, StageBench } from '../../fixtures/stage.ts';
import { zipOf } from '../../fixtures/zip.ts';

const PASSWORD = 'correct horse';

/** A ZIP whose entries are protected, but for those whose name begins with `open`. */
async function lockedZip(
  entries: Record<string, Uint8Array<ArrayBuffer>>,
  { zipCrypto = false, passwords = {} as Record<string, string> } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  // Always the same salt: one byte is all that ZipCrypto checks, so that a wrong password opens one archive in 256.
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    if (array instanceof Uint8Array) array.fill(7);
    return array;
  });
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [name, data] of Object.entries(entries)) {
    const options = name.startsWith('open') ? {} : { password: passwords[name] ?? PASSWORD, zipCrypto };
    await writer.add(name, new Uint8ArrayReader(data), { ...options, level: 0 });
  }
  const zip = new Uint8Array(await (await writer.close()).arrayBuffer());
  random.mockRestore();
  return zip;
}

const files = { '1.flac': flac(1), 'open.flac': flac(2), 'cover.jpg': HEADS.jpeg, '3.flac': flac(3) };
const WAITS = ['x/1.flac', 'x/3.flac', 'x/cover.jpg'];

describe('STAGE-40 what is protected waits for its password and holds nothing else up', () => {
  test.each([
    ['AES', false],
    ['ZipCrypto', true],
  ])('STAGE-101, STAGE-103 %s: asked once, wrong password said, then taken in', async (_, zipCrypto) => {
    const bench = new StageBench();
    const tab = bench.tab();
    const batch = await bench.drop([dropped('x.zip', await lockedZip(files, { zipCrypto }))], tab);
    expect(await bench.rows(batch.id)).toEqual([
      'x/1.flac: archive_encrypted: "1.flac" in "x.zip" needs a password.',
      'x/3.flac: archive_encrypted: "3.flac" in "x.zip" needs a password.',
      'x/cover.jpg: archive_encrypted: "cover.jpg" in "x.zip" needs a password.',
      'x/open.flac: PENDING queued',
    ]);
    expect(batch).toMatchObject({
      state: 'staged',
      total: 4,
      taken: 4,
      archives: [{ waiting: { password: 3, space: 0 } }],
    });
    const ids = (await bench.jobs(batch.id)).map((job) => job.id);

    expect(await tab.reopen(batch.id, 'x.zip', 'wrong one')).toMatchObject({
      ok: false,
      failure: { code: 'archive_encrypted', message: 'This password does not open "x.zip".' },
    });
    expect(await bench.batch(batch.id)).toEqual(batch);

    expect(await tab.reopen(batch.id, 'x.zip', PASSWORD)).toEqual({ ok: true, value: { taken: 3, waiting: 0 } });
    const after = await bench.batch(batch.id);
    expect(after).toMatchObject({
      state: 'staged',
      total: 4,
      taken: 4,
      notice: null,
      companions: [{ path: 'x/cover.jpg' }],
    });
    expect(after.archives).toEqual([expect.not.objectContaining({ waiting: expect.anything() })]);
    expect(await bench.rows(batch.id)).toEqual(
      ['x/1.flac', 'x/3.flac', 'x/open.flac'].map((path) => `${path}: PENDING queued`),
    );
    // The same jobs with the trace of both tries; the archive's copy is gone.
    const jobs = await bench.jobs(batch.id);
    expect(ids).toEqual(expect.arrayContaining(jobs.map((job) => job.id)));
    expect((await bench.steps(jobs[0]?.id ?? '')).map((step) => step.slice(0, 9))).toEqual([
      '1 Context',
      '2 Error: ',
      '3 Context',
    ]);
    expect((await bench.storedHashes()).size).toBe(4);
  });

  test('STAGE-102 the password is in no row', async () => {
    const bench = new StageBench();
    const batch = await bench.drop([
      dropped('x.zip', await lockedZip({ '1.flac': flac(1), 'bad.mp3': text('<html>') })),
    ]);
    await bench.tab().reopen(batch.id, 'x.zip', PASSWORD);
    const all = await Promise.all(bench.db.tables.map((table) => table.toArray()));
    expect(JSON.stringify(all)).toContain('is not MP3');
    expect(JSON.stringify(all)).not.toContain(PASSWORD);
  });

  test('STAGE-101 entries with different passwords are asked for until all are open', async () => {
    const bench = new StageBench();
    const tab = bench.tab();
    const zip = await lockedZip({ '1.flac': flac(1), '2.flac': flac(2) }, { passwords: { '2.flac': 'second' } });
    const batch = await bench.drop([dropped('x.zip', zip)], tab);
    expect(await tab.reopen(batch.id, 'x.zip', PASSWORD)).toEqual({ ok: true, value: { taken: 1, waiting: 1 } });
    expect((await bench.batch(batch.id)).archives[0]?.waiting).toEqual({ password: 1, space: 0 });
    expect(await tab.reopen(batch.id, 'x.zip', 'second')).toEqual({ ok: true, value: { taken: 1, waiting: 0 } });
    expect(await tab.reopen(batch.id, 'x.zip', 'second')).toMatchObject({ ok: false, failure: { code: 'not_found' } });
  });

  test('a protected ZIP in a ZIP, and a ZIP in a protected one', async () => {
    const bench = new StageBench();
    const tab = bench.tab();
    const inner = await lockedZip({ '1.flac': flac(1) });
    const outer = await lockedZip({ 'cd.zip': zipOf([{ name: '2.flac', data: flac(2) }]) });
    const batch = await bench.drop(
      [dropped('a.zip', zipOf([{ name: 'in.zip', data: inner }])), dropped('b.zip', outer)],
      tab,
    );
    expect(await tab.reopen(batch.id, 'a/in.zip', PASSWORD)).toMatchObject({ value: { taken: 1 } });
    expect(await tab.reopen(batch.id, 'b.zip', PASSWORD)).toMatchObject({ value: { taken: 1 } });
    expect(await bench.rows(batch.id)).toEqual(['a/in/1.flac: PENDING queued', 'b/cd/2.flac: PENDING queued']);
    expect(await bench.batch(batch.id)).toMatchObject({ state: 'staged', total: 2, taken: 2, notice: null });
    expect((await bench.storedHashes()).size).toBe(2);
  });

  test('a tab that dies while it is reopened: the rows are as before, and it is asked again', async () => {
    class Dying extends MemoryBlobStore {
      dying = false;
      died: () => void = () => undefined;
      override put(...args: Parameters<MemoryBlobStore['put']>): ReturnType<MemoryBlobStore['put']> {
        if (!this.dying) return super.put(...args);
        this.died();
        return new Promise(() => undefined);
      }
    }
    const blobs = new Dying();
    const bench = new StageBench({}, blobs);
    const batch = await bench.drop([dropped('x.zip', await lockedZip(files))]);
    const dead = new Promise<void>((resolve) => (blobs.died = resolve));
    blobs.dying = true;
    void bench.tab({ locks: localLocks() }).reopen(batch.id, 'x.zip', PASSWORD);
    await dead;
    blobs.dying = false;
    expect(await bench.batch(batch.id)).toMatchObject({ state: 'staging' });
    const tab = bench.tab();
    await tab.resume();
    expect(await bench.batch(batch.id)).toEqual(batch);
    expect(await tab.reopen(batch.id, 'x.zip', PASSWORD)).toMatchObject({ value: { taken: 3 } });
  });

  test('STAGE-104 left alone: the rows stay, the copy goes, nobody is asked again', async () => {
    const bench = new StageBench();
    const tab = bench.tab();
    const batch = await bench.drop([dropped('x.zip', await lockedZip(files))], tab);
    await tab.leaveArchive(batch.id, 'x.zip');
    expect((await bench.batch(batch.id)).archives[0]?.waiting).toBeUndefined();
    expect((await bench.rows(batch.id)).length).toBe(WAITS.length + 1);
    expect((await bench.storedHashes()).size).toBe(1);
  });

  test('damage behind a password cannot be told from a wrong one whose check passed: it goes on waiting', async () => {
    const bench = new StageBench();
    const tab = bench.tab();
    const zip = await lockedZip({ '1.flac': flac(1), '2.flac': flac(2) }, { zipCrypto: true });
    zip[500] = (zip[500] ?? 0) ^ 0xff;
    const batch = await bench.drop([dropped('x.zip', zip)], tab);
    expect(await tab.reopen(batch.id, 'x.zip', PASSWORD)).toEqual({ ok: true, value: { taken: 1, waiting: 1 } });
    expect(await bench.rows(batch.id)).toEqual([
      'x/1.flac: archive_encrypted: "1.flac" in "x.zip" does not open with this password, or it is damaged.',
      'x/2.flac: PENDING queued',
    ]);
  });
});

describe('STAGE-41 what had no space in the middle of an archive waits for it', () => {
  test('said of each file with what to free; then taken without doing the others twice', async () => {
    const blobs = new MemoryBlobStore();
    let free = Infinity;
    const bench = new StageBench({ freeBytes: async () => free }, blobs);
    const tab = bench.tab();
    const put = blobs.put.bind(blobs);
    let stored = 0;
    blobs.put = async (...args) => {
      const ref = await put(...args);
      if (++stored === 2) free = 100;
      return ref;
    };
    const entries = [1, 2, 3, 4].map((n) => ({ name: `${n}.flac`, data: flac(n) }));
    const batch = await bench.drop([dropped('x.zip', zipOf(entries))], tab);
    const rows = await bench.rows(batch.id);
    expect(rows.slice(0, 2)).toEqual(['x/1.flac: PENDING queued', 'x/2.flac: PENDING queued']);
    expect(rows[2]).toMatch(
      /^x\/3\.flac: storage_full: "3\.flac" in "x\.zip" could not be stored\. Less than twice its size is free/,
    );
    const [, , third] = await bench.jobs(batch.id);
    expect(third?.failure?.remedy).toBe(
      'Press "Free now" in Settings, Storage (it frees originals of what is published), or free space on this device, then take the rest of the archive on the Ingest page.',
    );
    expect(batch.archives[0]?.waiting).toEqual({ password: 0, space: 2 });
    expect(await tab.reopen(batch.id, 'x.zip', null)).toEqual({ ok: true, value: { taken: 0, waiting: 2 } });
    free = Infinity;
    expect(await tab.reopen(batch.id, 'x.zip', null)).toEqual({ ok: true, value: { taken: 2, waiting: 0 } });
    expect(await bench.rows(batch.id)).toEqual(entries.map(({ name }) => `x/${name}: PENDING queued`));
    expect((await bench.storedHashes()).size).toBe(4);
  });
});
