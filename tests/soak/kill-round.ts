/**
 * One album on its way through a browser that is killed again and again:
 *
 *   drop -> a kill at its instant -> the same profile again -> (dropped again, if not even the drop was in) -> ... -> published
 *
 * After each kill and at the end the stored files are held against their names.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { readBlobs, readRows, readSteps, type AppRows, type StoredBlob } from './app-rows.ts';
import { hasReached, stageOf, wantsAnotherDrop, type Kill, type Stage } from './kill-stages.ts';
import { KillableBrowser } from './killable-browser.ts';

/** Between two looks at the rows. Milliseconds. */
const LOOK_MS = 15;
/** An album that has not come to its end by then never will. */
const ROUND_MS = 600_000;

export interface RoundOptions {
  executable: string;
  /** Folder of the browser's profile, kept over the kills. */
  profile: string;
  /** What the person opens: the app with their token. */
  link: string;
  /** Path of the archive with the album. */
  archive: string;
  archiveSha256: string;
  tracks: number;
  /** The next kill of an album that has come so far, or null when it is to be left alone from now on. */
  next(reached: Stage): Kill | null;
}

export interface RoundOutcome {
  rows: AppRows;
  /** How far the album was at each kill. */
  killed: Stage[];
  /** How often the archive was dropped. */
  drops: number;
  /** Conversions that were begun, and how many a browser does at once. */
  started: number;
  workers: number;
  /** Stored files that are not what their names say. */
  torn: string[];
}

export async function killRound(options: RoundOptions): Promise<RoundOutcome> {
  const outcome: Omit<RoundOutcome, 'rows' | 'started'> = { killed: [], drops: 0, workers: 1, torn: [] };
  for (;;) {
    const browser = await KillableBrowser.start(options.executable, options.profile);
    try {
      const { page } = browser;
      await page.goto(options.link);
      outcome.workers = await page.evaluate(() => Math.min(navigator.hardwareConcurrency, 4));
      outcome.torn.push(...tornOf(await readBlobs(page), await readRows(page), options.archiveSha256));
      outcome.drops += await dropIfNeeded(browser, options);
      for (let reloaded = true; reloaded;) {
        const kill = options.next(stageOf(await readRows(page), options.tracks));
        const rows = await whenReached(browser, kill?.stage ?? 'done', options);
        if (kill === null || stageOf(rows, options.tracks) === 'done') {
          outcome.torn.push(...tornOf(await readBlobs(page), rows, options.archiveSha256));
          return { ...outcome, rows, started: await conversions(browser) };
        }
        await wait(kill.delayMs);
        outcome.killed.push(stageOf(await readRows(page), options.tracks));
        reloaded = kill.reload === true;
        if (reloaded) await page.reload();
      }
    } finally {
      await browser.kill();
    }
  }
}

async function conversions({ page }: KillableBrowser): Promise<number> {
  return (await readSteps(page)).filter(({ content }) => content.startsWith('Converting to ')).length;
}

/** Waits for what was left of an earlier drop; when nothing of it came in, the person drops it again. */
async function dropIfNeeded({ page }: KillableBrowser, { archive }: RoundOptions): Promise<number> {
  const input = page.locator('input[type="file"]').and(page.getByLabel('Add files', { exact: true }));
  await input.waitFor({ state: 'attached' });
  const end = performance.now() + ROUND_MS;
  for (let rows = await readRows(page); ; rows = await readRows(page)) {
    if (rows.jobs.length > 0 || rows.batches.some(({ archives }) => archives.length > 0)) return 0;
    if (wantsAnotherDrop(rows)) break;
    if (performance.now() > end) throw new Error(`a drop without files is never ended: ${JSON.stringify(rows)}`);
    await wait(LOOK_MS);
  }
  await input.setInputFiles(archive);
  return 1;
}

async function whenReached({ page }: KillableBrowser, stage: Stage, { tracks }: RoundOptions): Promise<AppRows> {
  const end = performance.now() + ROUND_MS;
  for (;;) {
    const rows = await readRows(page);
    if (hasReached(stage, rows, tracks)) return rows;
    const failed = rows.jobs.find((job) => job.phase === 'failed');
    if (failed !== undefined) throw new Error(`${failed.original_filename} failed: ${failed.failure?.message ?? ''}`);
    if (performance.now() > end) throw new Error(`never ${stage}: ${JSON.stringify(rows)}`);
    await wait(LOOK_MS);
  }
}

/** A copy of the archive has a name of its own; whole, it is as good as any. */
function tornOf(blobs: readonly StoredBlob[], { batches }: AppRows, archiveSha256: string): string[] {
  const copies = new Set(batches.flatMap(({ archives }) => archives.map(({ sha256 }) => sha256)));
  const isTorn = ({ folder, name, sha256 }: StoredBlob): boolean =>
    folder === 'sha256' && name !== sha256 && sha256 !== archiveSha256 && !copies.has(name);
  const notWhole = ({ name, sha256 }: StoredBlob): boolean => copies.has(name) && sha256 !== archiveSha256;
  return blobs.filter((blob) => isTorn(blob) || notWhole(blob)).map(({ name }) => name);
}
