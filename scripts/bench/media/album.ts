/** The whole way of an album: dropped as a ZIP, until all its results wait to be published; and the same with native tools. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { CatalogServer } from '../../../tests/e2e/support/catalog-server.ts';
import { openApp, startCatalog, type BenchApp } from './app.ts';
import { benchAlbum, makeAlbumZip, nameOf, tagsOf, type BenchAlbum } from './album-files.ts';
import type { Bench, Figure, Group } from './bench.types.ts';
import { forgetTasks, longestTask } from './main-thread.ts';
import { watchMemory } from './memory.ts';
import { hasTool, runNative } from './native.ts';
import { treeCpu } from './processes.ts';
import { figureOf } from './statistics.ts';

export const albumGroup: Group = { name: 'album', run };

/** As many at once as the app has workers. */
const AT_ONCE = Math.min(availableParallelism(), 4);
const NATIVE = ['unzip', 'sha256sum', 'ffmpeg', 'xargs'];

interface Cost {
  cpu: number;
  wall: number;
}

interface AppCost extends Cost {
  /** Bytes over what the browser held before the drop, at most. */
  memory: number;
  /** Milliseconds, and how many tasks were over 50. */
  task: { ms: number; over: number };
}

async function run(bench: Bench): Promise<Figure[]> {
  if (!hasTool('zip')) {
    console.log('zip is not installed: nothing of the group album is measured.');
    return [];
  }
  const missing = NATIVE.filter((name) => !hasTool(name));
  if (missing.length > 0) console.log(`${missing.join(', ')} not installed: no ratios of the album to native tools.`);
  const album = benchAlbum(bench.seconds);
  const archive = await makeAlbumZip(bench.folder, album);
  const server = await startCatalog(bench.folder, album.catalog);
  const native: Cost[] = [];
  const own: AppCost[] = [];
  try {
    for (let round = 0; round < bench.rounds; round++) {
      if (missing.length === 0) native.push(await nativeRound(bench.folder, archive, album));
      own.push(
        await appRound(bench.folder, server, {
          archive,
          results: album.tracks.length,
        }),
      );
    }
  } finally {
    await server.stop();
    await rm(archive);
  }
  return figures(own, native);
}

function figures(own: readonly AppCost[], native: readonly Cost[]): Figure[] {
  const ratios = (of: (cost: Cost) => number): number[] => native.map((cost, n) => of(own[n] ?? cost) / of(cost));
  const list = (name: string, of: (cost: AppCost) => number): Figure => figureOf(name, own.map(of));
  const measured = [
    list('album.cpu_s', ({ cpu }) => cpu),
    list('album.wall_s', ({ wall }) => wall),
    list('album.extra_memory_mb', ({ memory }) => memory / 1e6),
    // The worst of all rounds: what a person felt once was felt.
    {
      name: 'page.longest_task_ms',
      value: Math.max(...own.map(({ task }) => task.ms)),
    },
    {
      name: 'page.tasks_over_50',
      value: Math.max(...own.map(({ task }) => task.over)),
    },
  ];
  if (native.length === 0) return measured;
  return [
    figureOf('album.cpu_ratio', ratios(({ cpu }) => cpu)), // prettier-ignore
    figureOf('album.wall_ratio', ratios(({ wall }) => wall)), // prettier-ignore
    ...measured,
    figureOf('album.native.cpu_s', native.map(({ cpu }) => cpu)), // prettier-ignore
  ];
}

/** What the app does, in a shell: unpack, hash, convert with tags, hash. It verifies nothing. */
async function nativeRound(folder: string, archive: string, { tracks }: BenchAlbum): Promise<Cost> {
  const work = join(folder, 'native-album');
  await mkdir(work);
  for (const [n, track] of tracks.entries()) {
    const tags = tagsOf(track).map((tag) => `-metadata ${quoted(tag)}`);
    const encode = `ffmpeg -v error -y -i ${quoted(nameOf(track))} -vn -map_metadata -1 ${tags.join(' ')} -c:a libvorbis -q:a 9`;
    await writeFile(join(work, `${n}.sh`), `${encode} ${n}.ogg\n`);
  }
  const script = [
    `cd ${quoted(work)}`,
    `unzip -q ${quoted(archive)}`,
    'sha256sum *.flac >originals',
    `ls *.sh | xargs -P ${AT_ONCE} -n 1 sh`,
    'sha256sum *.ogg >results',
  ];
  const cost = await runNative('sh', ['-e', '-c', script.join('\n')]);
  await rm(work, { recursive: true });
  return cost;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

async function appRound(
  folder: string,
  server: CatalogServer,
  { archive, results }: { archive: string; results: number },
): Promise<AppCost> {
  const app = await openApp(folder, server);
  try {
    await forgetTasks(app.browser.page);
    const memory = watchMemory(app.browser.pid);
    const before = treeCpu(app.browser.pid);
    const begun = performance.now();
    await app.drop([archive]);
    await waitForResults(app, results);
    const cost = {
      cpu: treeCpu(app.browser.pid) - before,
      wall: (performance.now() - begun) / 1000,
    };
    return {
      ...cost,
      memory: memory.stop().extra,
      task: await longestTask(app.browser.page),
    };
  } finally {
    await app.close();
    await server.start();
  }
}

/** Nothing is published, so that what is in the outbox stays there. Looked at rarely: each look costs the page some CPU. */
async function waitForResults({ browser, count }: BenchApp, results: number): Promise<void> {
  const end = Date.now() + 1_800_000;
  while ((await count('outbox')) < results) {
    const said = await browser.page.locator('[data-status="FAILED"]').allInnerTexts();
    if (said.length > 0) throw new Error(`The album did not go through: ${said.join('; ')}`);
    if (Date.now() > end) throw new Error('The album did not come through in half an hour.');
    await browser.page.waitForTimeout(2000);
  }
}
