import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import { DiskFiles } from '#lanes/playbooks/node/disk-files.ts';
import { DiskRuns } from '#lanes/playbooks/node/disk-runs.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { playbookFilesContract, runStoreContract } from './playbook-runs.ts';

const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));
const nothing = { [Symbol.asyncDispose]: () => Promise.resolve() };

runStoreContract('the memory', () => Promise.resolve({ store: new MemoryRuns(), tear: null, ...nothing }));
runStoreContract('the disk', async () => {
  const folder = await temporaryFolder();
  return {
    store: new DiskRuns(folder.root),
    async tear(id) {
      const path = join(folder.root, id, 'journal.jsonl');
      await truncate(path, (await readFile(path)).length - 3);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

playbookFilesContract('the memory', (given) => {
  const files = new MemoryFiles(given, sha256);
  return Promise.resolve({ files, all: () => files.all, ...nothing });
});
playbookFilesContract('the disk', async (given) => {
  const folder = await temporaryFolder(given);
  return {
    files: await DiskFiles.open(folder.root),
    all: () => folder.files(),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

test('PLAYBOOK-17 a link that leads out of the root is refused, for reading, for writing and in between', async () => {
  await using folder = await temporaryFolder({ 'in/a.md': 'A' });
  await mkdir(join(folder.base, 'out'));
  await writeFile(join(folder.base, 'out', 'secret.md'), 'S');
  await symlink(join(folder.base, 'out'), join(folder.root, 'away'));
  await symlink(join(folder.base, 'out', 'secret.md'), join(folder.root, 's.md'));
  await symlink(join(folder.base, 'out', 'new.md'), join(folder.root, 'n.md'));
  await symlink(join(folder.root, 'in'), join(folder.root, 'inside'));
  const files = await DiskFiles.open(folder.root);
  for (const path of ['away/secret.md', 's.md', 'away/new.md', 'n.md', 'away/new/deep.md']) {
    await expect(files.read(path), path).rejects.toMatchObject({ code: 'path_outside' });
    await expect(files.write(path, 'X'), path).rejects.toMatchObject({ code: 'path_outside' });
  }
  expect((await files.read('inside/a.md'))?.text).toBe('A');
  expect(await files.list('')).toEqual(['in/a.md']);
});

test('PLAYBOOK-77 a journal on the disk has room behind its lines while it is open, and none when it is closed; what a power cut left there is no line', async () => {
  await using folder = await temporaryFolder();
  const store = new DiskRuns(folder.root);
  const path = join(folder.root, 'a', 'journal.jsonl');
  const log = await store.create('a');
  for (let n = 0; n < 3; n++) {
    log.append({ n, text: 'é\u0000' });
    await log.sync();
  }
  expect((await stat(path)).size).toBeGreaterThan(1024 * 1024);
  const lines = [0, 1, 2].map((n) => ({ n, text: 'é\u0000' }));
  expect(await store.read('a')).toEqual(lines);
  const open = await readFile(path);
  await log.close();
  const whole = await readFile(path, 'utf8');
  expect(whole).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

  // The room as a kill leaves it; with a later page of a write that is there before an earlier one.
  const torn = Buffer.from(open);
  torn.write('{"n":3}\n', Buffer.byteLength(whole) + 4096);
  for (const left of [open, torn]) {
    await writeFile(path, left);
    expect(await store.read('a')).toEqual(lines);
    const again = await store.open('a');
    expect(again.lines).toEqual(lines);
    again.log.append({ n: 4 });
    await again.log.close();
    expect(await readFile(path, 'utf8')).toBe(`${whole}{"n":4}\n`);
  }
});
