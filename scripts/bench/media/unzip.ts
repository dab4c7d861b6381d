/** Archives through the app's own reader and stage worker, on a profile on disk; beside native unzip. */
import { randomFillSync } from 'node:crypto';
import { mkdir, open, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench, Figure, Group } from './bench.types.ts';
import { openAppBrowser, removeProfile, type AppBrowser } from './disk-browser.ts';
import { hasTool, runNative } from './native.ts';
import { treeCpu, treeMemory } from './processes.ts';
import { figureOf } from './statistics.ts';

const MIB = 1024 ** 2;
const GB = 1e9;

export const unzipGroup: Group = { name: 'unzip', run };

async function run(bench: Bench): Promise<Figure[]> {
  if (!hasTool('unzip') || !hasTool('zip')) {
    console.log('zip or unzip is not installed: nothing of the group unzip is measured.');
    return [];
  }
  return [...(await deflated(bench)), ...(await many(bench)), ...(await large(bench))];
}

/** Chooses the archive in a browser of its own, opened when the archive is there. */
async function withArchive<T>(bench: Bench, archive: string, work: (browser: AppBrowser) => Promise<T>): Promise<T> {
  const profile = `${archive}.profile`;
  const browser = await openReader(bench, profile);
  try {
    await browser.choose('#archive', [archive]);
    return await work(browser);
  } finally {
    await browser.close();
    await removeProfile(profile);
    await rm(archive);
  }
}

/** CPU of unpacking a deflated album, as it lies in the app's store and as a whole drop, against native unzip. */
async function deflated(bench: Bench): Promise<Figure[]> {
  const archive = await makeArchive(bench, { name: 'album.zip', tracks: 12, trackBytes: 16 * MIB, packed: true });
  return withArchive(bench, archive, (browser) => ratiosTo(bench, browser, archive));
}

async function ratiosTo(bench: Bench, browser: AppBrowser, archive: string): Promise<Figure[]> {
  const ratios: number[] = [];
  const drops: number[] = [];
  const target = join(bench.folder, 'native');
  // Once without measuring: workers start, code is compiled, the archive lies in the system's cache.
  await browser.page.evaluate(async () => window.bench.unpackKept(await window.bench.keepArchive()));
  await browser.page.evaluate(() => window.bench.clearStage());
  for (let round = 0; round < bench.rounds; round++) {
    const native = (await runNative('unzip', ['-q', '-o', archive, '-d', target])).cpu;
    await rm(target, { recursive: true });
    const kept = await browser.page.evaluate(() => window.bench.keepArchive());
    ratios.push(
      (await cpuOf(browser, () => browser.page.evaluate((sha) => window.bench.unpackKept(sha), kept))) / native,
    );
    await browser.page.evaluate(() => window.bench.clearStage());
    drops.push((await cpuOf(browser, () => browser.page.evaluate(() => window.bench.stageArchive()))) / native);
    await browser.page.evaluate(() => window.bench.clearStage());
  }
  return [figureOf('unzip.deflate.cpu_ratio', ratios), figureOf('unzip.drop.cpu_ratio', drops)];
}

/** A fifth of what the usual limit allows; what each costs does not depend on how many there are. */
const MANY = 2_000;

/** Rows a second, and memory, of an archive of very many small files: tracks, texts, and what cannot be used. */
async function many(bench: Bench): Promise<Figure[]> {
  const count = Math.max(300, Math.round(MANY * Math.min(1, bench.size)));
  const archive = await makeMany(bench, count);
  return withArchive(bench, archive, async (browser) => {
    const begun = performance.now();
    const memory = await extraMemory(browser);
    const seconds = (performance.now() - begun) / 1000;
    return [
      { name: 'unzip.entries_per_s', value: count / seconds },
      { name: 'unzip.entries_memory_mb', value: memory },
    ];
  });
}

async function makeMany(bench: Bench, count: number): Promise<string> {
  const folder = join(bench.folder, 'many.files');
  await mkdir(folder);
  for (let n = 0; n < count; n++) {
    const [head, ending] = [['fLaC', 'flac'] as const, ['note', 'txt'] as const, ['', 'flac'] as const][n % 3] ?? [
      '',
      '',
    ];
    await writeFile(join(folder, `${n}.${ending}`), `${head} ${n} ${'\0'.repeat(100)}`);
  }
  return zipped(bench, 'many.zip', folder, '-0');
}

/** Time to list, and memory while the stage worker takes in, archives of gigabytes. */
async function large(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  const all = [
    { name: 'stored.zip', gigabytes: 3, list: 'unzip.stored_3gb_s', memory: 'unzip.stored_memory_mb' },
    { name: 'zip64.zip', gigabytes: 4.7, list: 'unzip.zip64_4.7gb_s', memory: 'unzip.zip64_memory_mb' },
  ];
  for (const { name, gigabytes, list, memory } of all) {
    const bytes = gigabytes * GB * bench.size;
    if (!(await hasRoom(bench.folder, bytes * 5))) {
      console.log(`There is no room for ${name} (five times ${(bytes / GB).toFixed(1)} GB): left out.`);
      continue;
    }
    const tracks = Math.max(2, Math.round(bytes / (96 * MIB)));
    const archive = await makeArchive(bench, { name, tracks, trackBytes: Math.floor(bytes / tracks), packed: false });
    await withArchive(bench, archive, async (browser) => {
      const times: number[] = [];
      for (let round = 0; round < bench.rounds; round++)
        times.push((await browser.page.evaluate(() => window.bench.listArchive())).ms / 1000);
      figures.push(figureOf(list, times), { name: memory, value: await extraMemory(browser) });
    });
  }
  const worst = figures.filter(({ name }) => name.endsWith('memory_mb')).map(({ value }) => value);
  if (worst.length > 0) figures.push({ name: 'unzip.extra_memory_mb', value: Math.max(...worst) });
  return figures;
}

async function extraMemory({ page, pid }: AppBrowser): Promise<number> {
  const idle = treeMemory(pid);
  let peak = idle;
  const watch = setInterval(() => (peak = Math.max(peak, treeMemory(pid))), 200);
  try {
    await page.evaluate(() => window.bench.stageArchive());
  } finally {
    clearInterval(watch);
  }
  return (peak - idle) / 1e6;
}

async function cpuOf({ pid }: AppBrowser, work: () => Promise<unknown>): Promise<number> {
  const before = treeCpu(pid);
  await work();
  return treeCpu(pid) - before;
}

interface Wanted {
  name: string;
  tracks: number;
  trackBytes: number;
  packed: boolean;
}

/** FLACs by their first bytes; the rest packs a little, as audio does, or is as good as any where nothing is packed. */
async function makeArchive(bench: Bench, { name, tracks, trackBytes, packed }: Wanted): Promise<string> {
  const folder = join(bench.folder, `${name}.files`);
  await mkdir(folder);
  const block = Buffer.alloc(MIB);
  for (let track = 0; track < tracks; track++) {
    const file = await open(join(folder, `${String(track + 1).padStart(3, '0')}.flac`), 'w');
    randomFillSync(block);
    block.write('fLaC');
    for (let at = 0; at < trackBytes; at += MIB) {
      if (packed) {
        randomFillSync(block, 4);
        for (let i = 4; i < MIB; i += 4) block[i] = 0;
      }
      await file.write(block.subarray(0, Math.min(MIB, trackBytes - at)));
    }
    await file.close();
  }
  return zipped(bench, name, folder, packed ? '-6' : '-0');
}

async function zipped(bench: Bench, name: string, folder: string, level: string): Promise<string> {
  const archive = join(bench.folder, name);
  await runNative('zip', ['-q', '-j', '-m', '-r', level, archive, folder]);
  await rm(folder, { recursive: true, force: true });
  return archive;
}

async function hasRoom(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > bytes;
}

/** The page's own reader of archives, with its input made. */
async function openReader(bench: Bench, profile: string): Promise<AppBrowser> {
  const browser = await openAppBrowser(profile);
  const { page } = browser;
  await page.goto(new URL('/', bench.files).href);
  await page.waitForFunction(() => document.title === 'ready');
  await page.evaluate(() => window.bench.makeInput());
  return browser;
}
