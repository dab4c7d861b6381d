import { chmod, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServerFileRow, ServerFolder } from '#lanes/library/core/server-library.ts';
import { diskFolder } from '#lanes/library/node/disk-folder.ts';
import { folderId } from '#lanes/library/server/folders.ts';
import { indexNext } from '#lanes/library/server/indexer.ts';
import { LEASE_MS, takeFolder } from '#lanes/library/server/leases.ts';
import { countedFolder, libraryWorld, SMALL_LIBRARY, type LibraryWorld } from '../fixtures/server-library.ts';
import type { ErrorAnswer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';

onBothStores('indexing of the server’s folders', () => {
  let world: LibraryWorld;
  beforeEach(async () => {
    world = await libraryWorld();
    await world.write('Handbook', SMALL_LIBRARY);
    await world.name([{ name: 'Handbook', readers: ['ReadCatalog'] }]);
  });
  afterEach(() => world.end());

  const id = folderId('Handbook');
  const folder = async (): Promise<ServerFolder | undefined> => (await world.folders()).find((one) => one.id === id);
  const files = async (): Promise<Record<string, string | null>> => {
    const answer = await world.server.api<{ items: ServerFileRow[] }>('GET', `/v1/library/folders/${id}/files`);
    return Object.fromEntries(answer.body.items.map(({ path, failed }) => [path, failed]));
  };
  /** Looks through the folder again, and answers what was read of it. */
  const again = async (other: Parameters<LibraryWorld['index']>[0] = {}): Promise<string[]> => {
    const read: string[] = [];
    expect((await world.server.api('POST', `/v1/library/folders/${id}/scan`)).status).toBe(202);
    await world.index({ openFolder: countedFolder(read), ...other });
    return read;
  };
  const found = async (query: string): Promise<string[]> =>
    (await world.search({ query })).body.items.map(({ path }) => path);

  test('LIBRARY-72 only what is new or changed is read; a renamed file takes over its chunks, and what is gone is gone', async () => {
    await world.index();
    const first = await folder();
    expect(await again()).toEqual([]);
    expect(await folder()).toEqual(first);
    await world.write('Handbook', {
      'notes/harbour.md': '# Brill\n\nThe harbour silted up in 1950.\n',
      'new.md': 'A windmill stands on the dyke.\n',
      'page.html': null,
    });
    await rename(join(world.pathOf('Handbook'), 'notes/kitchen.txt'), join(world.pathOf('Handbook'), 'cook.txt'));
    expect((await again()).sort()).toEqual(['cook.txt', 'new.md', 'notes/harbour.md']);
    expect(await found('colza oil')).toEqual([]);
    expect(await found('silted')).toEqual(['notes/harbour.md']);
    expect(await found('windmill')).toEqual(['new.md']);
    expect(await found('noon moon')).toEqual([]);
    expect((await found('cook reads the recipe'))[0]).toBe('cook.txt');
    expect(Object.keys(await files()).sort()).toEqual(
      [
        'cook.txt',
        'long.txt',
        'new.md',
        'notes/café.txt',
        'notes/harbour.md',
        'notes/tokyo.md',
        'src/reader.ts',
      ].concat('src/tax.py'),
    );
    // By itself it is looked through when its time has come.
    expect(await indexNext(world.using())).toBe(false);
    world.server.time.now += 600_000;
    expect(await indexNext(world.using())).toBe(true);
    // All that counts and finds is as if it were indexed anew.
    const counts = async () => {
      const { db } = world.server.store;
      const terms = await db.selectFrom('library_terms').selectAll().where('pieces', '!=', 0).orderBy('term').execute();
      const row = await db.selectFrom('library_folders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      return {
        terms: terms.map(({ term, pieces }) => [term, pieces]),
        files: row.files,
        pieces: row.pieces,
        words: row.words,
      };
    };
    const changed = await counts();
    await world.name([]);
    await world.index();
    expect(await world.server.store.db.selectFrom('library_files').selectAll().execute()).toEqual([]);
    await world.name([{ name: 'Handbook' }]);
    await world.index();
    expect(await counts()).toEqual(changed);
  });

  test('LIBRARY-73 a process that is killed is followed by another that goes on, and one that comes back late writes nothing', async () => {
    const read: string[] = [];
    // Killed at each change in turn: nothing of it is tidied up.
    for (let kill = 1; kill < 40; kill += 1) {
      let writes = 0;
      const { write } = world.server.store;
      const store = {
        ...world.server.store,
        write: (async (work) => {
          if ((writes += 1) > kill) throw new Error('killed');
          return write(work);
        }) as typeof write,
      };
      // One file a transaction.
      let now = world.server.time.now;
      const clock = { now: () => (now += 1_500) };
      await world.index({ store, clock, openFolder: countedFolder(read) }).catch(() => undefined);
      world.server.time.now += LEASE_MS * 10;
      if ((await folder())?.state === 'ready') break;
    }
    expect(await folder()).toMatchObject({ state: 'ready', files: 8, done: 8 });
    // What was being read when it was killed is read again, nothing else.
    expect(new Set(read).size).toBe(8);
    const once = await world.server.store.db.selectFrom('library_files').select('path').execute();
    expect(once.map(({ path }) => path).sort()).toEqual(Object.keys(SMALL_LIBRARY).sort());

    await world.write('Handbook', { 'late.md': 'A late word: xylophone.\n' });
    expect((await world.server.api('POST', `/v1/library/folders/${id}/scan`)).status).toBe(202);
    const folders = [id];
    const said: string[] = [];
    const stalled = world.using({
      say: (line) => void said.push(line),
      openFolder: (path) => {
        const real = diskFolder(path);
        return {
          ...real,
          async read(file) {
            // It sleeps for longer than its lease, and another takes over.
            world.server.time.now += LEASE_MS + 1;
            const taken = await takeFolder(world.server.store, world.using(), folders);
            expect(taken?.folder.id).toBe(id);
            return real.read(file);
          },
        };
      },
    });
    expect(await indexNext(stalled)).toBe(true);
    expect(said).toEqual([expect.stringContaining('Another process')]);
    expect(await found('xylophone')).toEqual([]);
    world.server.time.now += LEASE_MS + 1;
    await world.index();
    expect(await found('xylophone')).toEqual(['late.md']);
  });

  test('LIBRARY-73 two processes share the folders, each folder is one’s', async () => {
    await world.write('Other', { 'a.md': 'Nothing but a kettle.\n' });
    await world.name([{ name: 'Handbook' }, { name: 'Other' }]);
    const using = world.using();
    const [one, two] = [
      await takeFolder(world.server.store, using, using.folders),
      await takeFolder(world.server.store, using, using.folders),
    ];
    expect([one?.folder.name, two?.folder.name].sort()).toEqual(['Handbook', 'Other']);
    expect(await takeFolder(world.server.store, using, using.folders)).toBeNull();
    // A process without these folders takes none of them.
    world.server.time.now += LEASE_MS + 1;
    expect(await takeFolder(world.server.store, using, [])).toBeNull();
  });

  test('LIBRARY-74 a folder that is not there, or disappears while it is read, keeps what was read and says so', async () => {
    await world.name([{ name: 'Handbook' }, { name: 'Gone' }]);
    await world.index();
    const gone = (await world.folders()).find(({ name }) => name === 'Gone');
    expect(gone).toMatchObject({
      state: 'failed',
      error: 'The folder is not there on the server. What was read before is kept.',
    });
    expect(JSON.stringify(gone)).not.toContain(world.root);
    await world.write('Handbook', { 'notes/harbour.md': 'Other words.\n', 'z.md': 'Last.\n' });
    await again({
      openFolder: (path) => {
        const real = diskFolder(path);
        return { ...real, read: async () => (await rm(path, { recursive: true, force: true }), null) };
      },
    });
    expect(await folder()).toMatchObject({
      state: 'failed',
      files: 8,
      error: expect.stringContaining('not there') as string,
    });
    expect((await found('colza oil'))[0]).toBe('notes/harbour.md');
    // When it is back, it is well again.
    await world.write('Handbook', { 'notes/harbour.md': 'Other words.\n' });
    await again();
    expect(await folder()).toMatchObject({ state: 'ready', files: 1, error: null });
  });

  test('LIBRARY-74 a file or directory that may not be read is named with why, and read when it may; loops of links end', async () => {
    const root = world.pathOf('Handbook');
    await mkdir(join(root, 'shut'));
    await symlink('..', join(root, 'shut', 'loop'));
    await symlink('loop-b', join(root, 'loop-a'));
    await symlink('loop-a', join(root, 'loop-b'));
    const refuse = (path: string) =>
      Promise.reject(Object.assign(new Error(`EACCES: ${root}/${path}`), { code: 'EACCES' }));
    await world.index({
      openFolder: (path) => {
        const real = diskFolder(path);
        return {
          list: (directory) => (directory === 'shut' ? refuse(directory) : real.list(directory)),
          read: (file) => (file === 'page.html' ? refuse(file) : real.read(file)),
        };
      },
    });
    expect(await files()).toMatchObject({
      'page.html': 'The server may not read it.',
      shut: 'The folder cannot be read.',
      'long.txt': null,
    });
    expect(await folder()).toMatchObject({ state: 'ready', files: 7, failures: 2, left_out: { link: 2 } });
    expect(await again()).toEqual(['page.html']);
    expect(await folder()).toMatchObject({ files: 8, failures: 0, left_out: { link: 3 } });
    await chmod(root, 0o700);
  });

  test('LIBRARY-74 what is beyond the limit of files is left out, and the folder says so', async () => {
    await world.index({ mostFiles: 3 });
    expect(await folder()).toMatchObject({ files: 3, failures: 1 });
    expect(Object.values(await files()).find((why) => why !== null)).toBe(
      'The folder has more than 3 files: this one and 4 behind it are left out.',
    );
    await again();
    expect(await folder()).toMatchObject({ files: 8, failures: 0 });
  });

  test('LIBRARY-74 a disk without space for the index is said; what was read is kept, and it goes on', async () => {
    const { write } = world.server.store;
    let full = true;
    const store = {
      ...world.server.store,
      write: ((work) =>
        write(async (tx) => {
          const done = await work(tx);
          const some = await tx.selectFrom('library_files').select('id').execute();
          if (full && some.length > 4) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
          return done;
        })) as typeof write,
    };
    let now = world.server.time.now;
    const clock = { now: () => (now += 1_500) };
    const said = await world.index({ store, clock });
    expect(said).toEqual(['Handbook: database or disk is full']);
    expect(await folder()).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('no space left') as string,
    });
    const kept = (await folder())?.files ?? 0;
    expect(kept).toBeGreaterThan(0);
    full = false;
    await again();
    expect(await folder()).toMatchObject({ state: 'ready', files: 8, error: null });
  });

  test('LIBRARY-74 a question that is too long, and one of a megabyte, are refused with a sentence', async () => {
    await world.index();
    const long = await world.server.api<ErrorAnswer>('POST', '/v1/library/search', { query: 'x'.repeat(5_000) });
    expect([long.status, long.body.error.message]).toEqual([
      400,
      'body "query": a question has at most 4000 characters.',
    ]);
    const huge = await world.server.api<ErrorAnswer>('POST', '/v1/library/search', { query: 'x '.repeat(500_000) });
    expect([huge.status, huge.body.error.message]).toEqual([413, 'This request may have 65536 bytes.']);
    const many = Array.from({ length: 900 }, (_, at) => `w${at}`).join(' ');
    expect((await world.search({ query: many.slice(0, 4_000) })).status).toBe(200);
  });
});
