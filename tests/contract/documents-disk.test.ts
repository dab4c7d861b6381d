/** A folder of documents, and its manifest, on a disk that is full or takes no writes, for real. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { NodeFileTree } from '#adapters/node/file-tree.ts';
import { undoCommand } from '#lanes/documents/cli/carry-out.ts';
import { scanCommand } from '#lanes/documents/cli/scan.ts';
import { openScan } from '#lanes/documents/node/scan/open-scan.ts';
import { DOI, work } from '../fixtures/document-world.ts';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { startMetadataServer } from '../fixtures/metadata-server.ts';
import { smallDisk, whereMounting, type Disk } from '../fixtures/mounts.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const KILOBYTE = 1024;
/** A paper of 300 KB: what is written into it is written beside it first. Its small print is not read. */
const paper = (n: number, title: string): Uint8Array =>
  makePdf([
    [
      { text: `https://doi.org/${DOI(n)}`, x: 72, y: 700 },
      ...column(72, 650, [title]),
      { text: 'x'.repeat(300 * KILOBYTE), x: 72, y: 100, size: 1 },
    ],
  ]);

/** Two papers on `disk`, the journal elsewhere. */
async function papersOn(disk: Disk, manifestElsewhere: string | null) {
  const root = join(disk.path, 'Papers');
  const apart = `${disk.path}-large`;
  ends.push(() => rm(apart, { recursive: true, force: true }));
  const folder = manifestElsewhere === null ? root : join(apart, 'Papers');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a.pdf'), paper(1, 'Counting the rivers'));
  await writeFile(join(folder, 'b.pdf'), paper(2, 'Tracing the banks'));
  const manifest = join(manifestElsewhere ?? root, 'manifest.json');
  const server = await startMetadataServer({
    'api.crossref.org': [work(1, 'Counting the rivers'), work(2, 'Tracing the banks')],
  });
  ends.push(() => server[Symbol.asyncDispose]());
  const said: string[] = [];
  const flags = { dir: folder, data: join(apart, 'data') };
  const ports = () =>
    openScan(flags, {
      say: (line) => said.push(line),
      signal: new AbortController().signal,
      openTree: (directory) => NodeFileTree.open(directory),
      fetch: server.fetch,
    });
  const hashes = async (): Promise<Record<string, string>> => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.pdf')).toSorted();
    const hash = async (name: string) =>
      createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex');
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await hash(name)] as const)));
  };
  return {
    said,
    hashes,
    folder,
    scan: async (skipExisting = false) =>
      scanCommand({ write: true, yes: true, rename: 'yes', manifest, skipExisting }, await ports()),
    undo: async () => undoCommand(undefined, await ports()),
    entries: async () => (JSON.parse(await readFile(manifest, 'utf8')) as { entries: object[] }).entries,
    names: async () => (await readdir(folder)).toSorted(),
  };
}

const WRITTEN = ['counting_the_rivers_2019.pdf', 'tracing_the_banks_2019.pdf'];

whereMounting('documents on a disk of their own', () => {
  test('DOCUMENT-131 without space for what is written every file stays as it was, that is said with what to do, and with space the same command does it', async () => {
    const disk = await smallDisk(1);
    ends.push(() => disk.end());
    const it = await papersOn(disk, null);
    const ballast = join(disk.path, 'ballast');
    await writeFile(ballast, new Uint8Array(200 * KILOBYTE));
    const before = await it.hashes();
    expect(await it.scan()).toBe(1);
    expect(it.said.join('\n')).toContain('There is no space left on the disk for');
    expect(it.said.join('\n')).toContain('Free space on the disk, then try again.');
    expect(it.said.at(-1)).toBe('nothing was changed');
    expect(await it.hashes()).toEqual(before);
    expect(await it.names()).toEqual(['a.pdf', 'b.pdf']);

    await rm(ballast);
    expect(await it.scan()).toBe(0);
    expect(Object.keys(await it.hashes())).toEqual(WRITTEN);
    expect(await it.entries()).toHaveLength(2);
    expect(await it.undo()).toBe(0);
    expect(await it.hashes()).toEqual(before);
  });

  test('DOCUMENT-131 a folder that takes no writes stays as it is, that is said, and later the same command does it', async () => {
    const disk = await smallDisk(4);
    ends.push(() => disk.end());
    const it = await papersOn(disk, null);
    const before = await it.hashes();
    disk.remount('ro');
    await expect(it.scan()).rejects.toThrow(/cannot be written/);
    expect(await it.hashes()).toEqual(before);
    expect(await it.names()).toEqual(['a.pdf', 'b.pdf']);
    disk.remount('rw');
    expect(await it.scan()).toBe(0);
    expect(Object.keys(await it.hashes())).toEqual(WRITTEN);
    expect(await it.entries()).toHaveLength(2);
  });

  test('DOCUMENT-131 where the manifest alone has no space, that is said, and the next run notes what was done', async () => {
    const disk = await smallDisk(1);
    ends.push(() => disk.end());
    const it = await papersOn(disk, disk.path);
    const ballast = join(disk.path, 'ballast');
    await writeFile(ballast, new Uint8Array(KILOBYTE * KILOBYTE)).catch(() => undefined);
    await expect(it.scan()).rejects.toThrow(/There is no space left on the disk for/);
    expect(Object.keys(await it.hashes())).toEqual(WRITTEN);
    await rm(ballast);
    expect(await it.scan(true)).toBe(0);
    expect(await it.entries()).toHaveLength(2);
    expect(await it.undo()).toBe(0);
    expect(await it.entries()).toEqual([]);
    expect(await it.names()).toEqual(['a.pdf', 'b.pdf']);
  });
});
