/** The conformance suites of a playbook's stores: of runs, and of a root of files. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PlaybookFiles, RunStore } from '#lanes/playbooks/core/run/ports.ts';

export interface RunsWorld extends AsyncDisposable {
  store: RunStore;
  /** Cuts the last line of a run's journal in half, as a crash does; null where a store has no such lines. */
  tear: ((id: string) => Promise<void>) | null;
}

export function runStoreContract(name: string, open: () => Promise<RunsWorld>): void {
  // What to do is about runs: the catalog knows of none (PLAYBOOK-80).
  const codeOf = (code: string) => ({ failure: { code, remedy: expect.not.stringMatching(/catalog/) } });
  describe(`PLAYBOOK-17 ${name} keeps runs`, () => {
    test('lines come back in their order, and the run goes on after them', async () => {
      await using world = await open();
      const log = await world.store.create('a');
      log.append({ n: 1, text: 'é\n{' });
      log.append({ n: 2 });
      await log.sync();
      await log.close();
      const again = await world.store.open('a');
      expect(again.lines).toEqual([{ n: 1, text: 'é\n{' }, { n: 2 }]);
      again.log.append({ n: 3 });
      await again.log.close();
      expect(await world.store.read('a')).toEqual([{ n: 1, text: 'é\n{' }, { n: 2 }, { n: 3 }]);
      expect(() => again.log.append({ n: 4 })).toThrow();
    });

    test('a run is made once, and open once', async () => {
      await using world = await open();
      const log = await world.store.create('a');
      log.append({ n: 1 });
      await expect(world.store.create('a')).rejects.toMatchObject(codeOf('conflict'));
      await log.sync();
      await expect(world.store.open('a')).rejects.toMatchObject(codeOf('conflict'));
      await log.close();
      await (await world.store.open('a')).log.close();
      await expect(world.store.open('b')).rejects.toMatchObject(codeOf('not_found'));
      expect(await world.store.read('b')).toBeNull();
    });

    test('runs are listed, and removed', async () => {
      await using world = await open();
      expect(await world.store.list()).toEqual([]);
      for (const id of ['a', 'b']) await (await world.store.create(id)).close();
      expect((await world.store.list()).sort()).toEqual(['a', 'b']);
      await world.store.remove('a');
      expect(await world.store.list()).toEqual(['b']);
    });

    test('many lines at once are all there, in their order', async () => {
      await using world = await open();
      const log = await world.store.create('a');
      const syncs = Array.from({ length: 200 }, (_, n) => {
        log.append({ n });
        return log.sync();
      });
      await Promise.all(syncs);
      await log.close();
      expect((await world.store.read('a'))?.map((line) => (line as { n: number }).n)).toEqual(
        Array.from({ length: 200 }, (_, n) => n),
      );
    });

    test('a torn last line is left out, and what follows stands on a line of its own', async () => {
      await using world = await open();
      if (world.tear === null) return;
      const log = await world.store.create('a');
      log.append({ n: 1 });
      log.append({ n: 2 });
      await log.close();
      await world.tear('a');
      const again = await world.store.open('a');
      expect(again.lines).toEqual([{ n: 1 }]);
      again.log.append({ n: 3 });
      await again.log.close();
      expect(await world.store.read('a')).toEqual([{ n: 1 }, { n: 3 }]);
    });
  });
}

export interface FilesWorld extends AsyncDisposable {
  files: PlaybookFiles;
  all(): Record<string, string> | Promise<Record<string, string>>;
}

export function playbookFilesContract(
  name: string,
  open: (files: Record<string, string>) => Promise<FilesWorld>,
): void {
  describe(`PLAYBOOK-17 ${name} is a root of files`, () => {
    test('files are listed below a folder, dotfiles and what is not there left out', async () => {
      await using world = await open({ 'a.md': 'A', 'd/b.md': 'B', 'd/e/c.md': 'C', 'd/.h.md': 'H', '.x/y.md': 'Y' });
      expect((await world.files.list('')).sort()).toEqual(['a.md', 'd/b.md', 'd/e/c.md']);
      expect((await world.files.list('d')).sort()).toEqual(['d/b.md', 'd/e/c.md']);
      expect(await world.files.list('none')).toEqual([]);
    });

    test('a file is read with its hash, and nothing is where nothing is', async () => {
      await using world = await open({ 'd/b.md': 'é' });
      const sha256 = createHash('sha256').update('é').digest('hex');
      expect(await world.files.read('d/b.md')).toEqual({ text: 'é', sha256 });
      expect(await world.files.read('d/none.md')).toBeNull();
      expect(await world.files.read('d')).toBeNull();
      expect([
        await world.files.isThere('d/b.md'),
        await world.files.isThere('d'),
        await world.files.isThere('x'),
      ]).toEqual([true, true, false]);
    });

    test('a file is written whole with its folders, written again, and goes on at its end', async () => {
      await using world = await open({ 'a.md': 'A' });
      const { files } = world;
      await files.write('n/o/p.jsonl', '1\n');
      await files.append('n/o/p.jsonl', '2\n');
      await files.append('n/o/p.jsonl', '3\n');
      await files.sync();
      expect(await world.all()).toEqual({ 'a.md': 'A', 'n/o/p.jsonl': '1\n2\n3\n' });
      await files.write('n/o/p.jsonl', 'new\n');
      await files.append('n/o/p.jsonl', 'more\n');
      await files.write('a.md', 'B');
      await files.sync();
      expect(await world.all()).toEqual({ 'a.md': 'B', 'n/o/p.jsonl': 'new\nmore\n' });
    });
  });
}
