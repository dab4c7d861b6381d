/** A drop of a thousand small files, and what the browser's memory does until all are converted. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { openApp, startCatalog } from './app.ts';
import type { Bench, Figure, Group } from './bench.types.ts';
import { forgetTasks, longestTask } from './main-thread.ts';
import { slopeOf, watchMemory, type MemoryCourse } from './memory.ts';
import { makeMusic } from './music.ts';
import { treeCpu } from './processes.ts';

const FILES = 1000;
const PER_ALBUM = 10;
/** Of each file: so short that the files are many and their sound is little. */
const SECONDS = 2;
/** Bytes of a WAV's header of this bench; the sound begins behind it. */
const HEADER = 44;
const LONGEST_MS = 3_600_000;

export const thousandGroup: Group = { name: 'thousand', run };

/** `--size 0.1` drops a hundred. */
async function run(bench: Bench): Promise<Figure[]> {
  const files = Math.max(PER_ALBUM, Math.round(FILES * bench.size));
  const { catalog, paths } = await makeFiles(bench.folder, files);
  const server = await startCatalog(bench.folder, catalog);
  const app = await openApp(bench.folder, server);
  try {
    await forgetTasks(app.browser.page);
    const memory = watchMemory(app.browser.pid);
    const cpu = treeCpu(app.browser.pid);
    const begun = Date.now();
    await app.drop(paths);
    let ready = 0;
    while (ready < files) {
      await app.browser.page.waitForTimeout(2000);
      ready = await app.count('outbox');
      const asked = await app.count('reviews');
      if (asked > 0) throw new Error(`${asked} questions were asked about files that the catalog names one by one.`);
      if (Date.now() - begun > LONGEST_MS) throw new Error(`Only ${ready} of ${files} files came through in an hour.`);
    }
    const course = memory.stop();
    printCourse(course);
    const { ms, over } = await longestTask(app.browser.page);
    return [
      { name: 'drop.files', value: files },
      { name: 'drop.wall_s', value: (Date.now() - begun) / 1000 },
      { name: 'drop.cpu_s', value: treeCpu(app.browser.pid) - cpu },
      { name: 'drop.extra_memory_mb', value: course.extra / 1e6 },
      { name: 'drop.memory_mb_per_100_files', value: slope(course, files) },
      { name: 'drop.longest_task_ms', value: ms },
      { name: 'drop.tasks_over_50', value: over },
    ];
  } finally {
    await app.close();
    await server.stop();
    for (const path of paths) await rm(path);
  }
}

/** Growth in the second half, over the files that came through in that time. */
function slope(course: MemoryCourse, files: number): number {
  const seconds = course.samples.at(-1)?.at ?? 0;
  return (slopeOf(course.samples) * seconds * 100) / files / 1e6;
}

/** Ten moments of it, in megabytes over the start. */
function printCourse({ samples }: MemoryCourse): void {
  const every = Math.max(1, Math.floor(samples.length / 10));
  const shown = samples
    .filter((_, n) => n % every === 0)
    .map(({ at, bytes }) => `${at.toFixed(0)} s ${(bytes / 1e6).toFixed(0)}`);
  console.log(`memory over the start, MB: ${shown.join(', ')}`);
}

/** Albums of ten in folders, each file a stretch of one piece of music of its own. Named so that the catalog knows them. */
async function makeFiles(folder: string, count: number): Promise<{ catalog: CatalogFile; paths: string[] }> {
  const music = makeMusic(60, 7);
  const catalog: CatalogFile = { artists: [{ id: 'a', name: 'The Harbour Clerks' }], albums: [], tracks: [] };
  const paths: string[] = [];
  await mkdir(join(folder, 'drop'));
  for (let n = 0; n < count; n++) {
    const album = Math.floor(n / PER_ALBUM);
    const position = (n % PER_ALBUM) + 1;
    const title = `${NAMES[position - 1] ?? ''} of ${WORDS[album % WORDS.length] ?? ''} ${album + 1}`;
    const id = `album-${album}`;
    const album_title = `Ledger ${album + 1}`;
    if (position === 1)
      catalog.albums.push({
        id,
        title: album_title,
        artist_id: 'a',
        artist: 'The Harbour Clerks',
        track_count: PER_ALBUM,
      });
    const row = { id: `t-${n}`, album_id: id, title, artist_id: 'a', artist: 'The Harbour Clerks', disc: 1, position };
    catalog.tracks.push({ ...row, duration_ms: SECONDS * 1000 });
    const info = { INAM: title, IART: 'The Harbour Clerks', IPRD: album_title, ITRK: String(position) };
    const path = join(
      folder,
      'drop',
      `The Harbour Clerks - ${album_title} - ${String(position).padStart(2, '0')} - ${title}.wav`,
    );
    await writeFile(path, stretch(music, n, info));
    paths.push(path);
  }
  return { catalog, paths };
}

const NAMES = ['Slack', 'Customs', 'Bells', 'Rope', 'Manifest', 'Tallow', 'Ballast', 'Season', 'Lamp', 'Soundings'];
const WORDS = ['Brass', 'Chalk', 'Copper', 'Flint', 'Granite', 'Linen', 'Marble', 'Oak', 'Pewter', 'Slate', 'Tin'];

/** Two seconds of it, from another place each time: no two files have the same content. */
function stretch(music: Uint8Array<ArrayBuffer>, n: number, info: Record<string, string>): Uint8Array {
  const bytes = SECONDS * 44_100 * 4;
  const places = Math.floor((music.length - HEADER - bytes) / 4);
  const from = HEADER + ((n * 48_271) % places) * 4;
  const file = Buffer.concat([music.subarray(0, HEADER), music.subarray(from, from + bytes), infoChunk(info)]);
  file.writeUInt32LE(file.length - 8, 4);
  file.writeUInt32LE(bytes, 40);
  return file;
}

/** Tags as a WAV has them. */
function infoChunk(info: Record<string, string>): Buffer {
  const parts = Object.entries(info).map(([id, text]) => chunk(id, Buffer.from(`${text}\0`)));
  return chunk('LIST', Buffer.concat([Buffer.from('INFO'), ...parts]));
}

function chunk(id: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
