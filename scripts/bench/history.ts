/// <reference lib="dom" />
/**
 * What it costs to have a long history: a start of the installed app without its server beside a start with none, and the
 * History page of 100,000 files. The rows are copies of an album's that came in here, the first
 * 10,000 with their steps.
 *
 *   start                  a new browser on the same profile, the server gone, until the first paint and the drop zone
 *   the page of History    opened, scrolled, turned, searched
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOG, SHORT_WAVES } from '../../tests/e2e/catalog.ts';
import { albumFiles, namesOf } from '../../tests/e2e/support/album-files.ts';
import { Api } from '../../tests/e2e/support/api.ts';
import { App } from '../../tests/e2e/support/app.ts';
import { CatalogServer } from '../../tests/e2e/support/catalog-server.ts';
import { buildIfChanged } from '../lib/build.mjs';
import { noteDropZone } from './drop-zone.ts';
import { openAppBrowser, removeProfile, type AppBrowser } from './media/disk-browser.ts';
import { forgetTasks, longestTask, watchTasks } from './media/main-thread.ts';

/** Files in the history when the app is started, and when its History page is read. */
const FILES = { start: 10_000, page: 100_000 };
const FILES_OF_A_DROP = 12;
const PATIENCE_MS = 120_000;
/** Turns of the wheel, and milliseconds between them. */
const [TURNS, REST_MS] = [60, 50];

interface Started {
  /** Milliseconds since the page was asked for, as its own clock has it. */
  paint: number;
  usable: number;
}

/**
 * @param rounds how often the app is started
 * @param size share of the files
 * @returns history.paint_ms and history.usable_ms of a start, each beside `..._empty_ms` of a history of a single drop;
 *   of the page: open_ms, scroll_task_ms (50: nothing was longer), turn_ms, find_ms
 */
export async function benchHistory({
  rounds,
  size,
}: {
  rounds: number;
  size: number;
}): Promise<Record<string, number>> {
  await buildIfChanged(process.execPath);
  const folder = await mkdtemp(join(tmpdir(), 'accession-bench-history-'));
  const profile = join(folder, 'profile');
  const server = await CatalogServer.start(join(folder, 'data'));
  const origin = server.origin;
  const within = async <T>(work: (browser: AppBrowser) => Promise<T>): Promise<T> => {
    const browser = await openAppBrowser(profile, watchTasks);
    try {
      await browser.page.addInitScript(noteDropZone);
      return await work(browser);
    } finally {
      await browser.close();
    }
  };
  const starts = async (): Promise<Started> => {
    const all: Started[] = [];
    for (let round = 0; round < rounds; round++) all.push(await within(({ page }) => started(page, origin)));
    const middle = (pick: (one: Started) => number): number =>
      all.map(pick).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
    return { paint: middle(({ paint }) => paint), usable: middle(({ usable }) => usable) };
  };
  const fill = (files: number): Promise<number> =>
    within(async ({ page }) => {
      await page.goto(origin);
      await page.getByLabel('Add files', { exact: true }).waitFor({ state: 'attached', timeout: PATIENCE_MS });
      return page.evaluate(copyHistory, {
        ...{ files: Math.round(files * size), withSteps: Math.round(FILES.start * size), ofADrop: FILES_OF_A_DROP },
      });
    });
  try {
    await within((browser) => firstDrop(browser, server));
    await server.stop();
    const empty = await starts();
    const inHistory = await fill(FILES.start);
    const full = await starts();
    const onPage = await fill(FILES.page);
    const page = await within((browser) => readPage(browser, origin));
    const figures = {
      ...{ files_at_start: inHistory, paint_ms: full.paint, usable_ms: full.usable },
      ...{ paint_empty_ms: empty.paint, usable_empty_ms: empty.usable, usable_ratio: full.usable / empty.usable },
      ...{ files_on_page: onPage, ...page },
    };
    return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`history.${name}`, value]));
  } finally {
    await server.kill();
    await removeProfile(folder);
  }
}

/** An album comes in, and all is kept for a start without the server. */
async function firstDrop({ page }: AppBrowser, server: CatalogServer): Promise<void> {
  await new Api(server.origin, server.token).importCatalog(CATALOG);
  const app = new App(page);
  await app.signIn(server.signInLink);
  await app.waitForReplica();
  const files = await albumFiles(SHORT_WAVES, { format: 'flac', tagged: true });
  await app.addFiles(files);
  await app.waitForPublished(namesOf(files));
  await app.forgetFiles();
  await app.waitForOfflineStart();
}

async function started(page: AppBrowser['page'], origin: string): Promise<Started> {
  await page.goto(origin, { waitUntil: 'commit', timeout: PATIENCE_MS });
  await page.waitForFunction(
    () => Reflect.has(globalThis, 'dropZoneAt') && performance.getEntriesByName('first-contentful-paint').length > 0,
    null,
    { timeout: PATIENCE_MS },
  );
  return page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    usable: (Reflect.get(globalThis, 'dropZoneAt') as number) - performance.timeOrigin,
  }));
}

async function readPage({ page }: AppBrowser, origin: string): Promise<Record<string, number>> {
  const rows = page.locator('section[aria-label="Finished files"] li[data-status]');
  const timed = async (act: () => Promise<unknown>, done: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await act();
    await done();
    return performance.now() - begun;
  };
  const open_ms = await timed(
    () => page.goto(`${origin}/history`, { timeout: PATIENCE_MS }),
    () => rows.first().waitFor({ state: 'attached', timeout: PATIENCE_MS }),
  );
  await page.waitForTimeout(5_000);
  await forgetTasks(page);
  await page.mouse.move(400, 500);
  for (let turn = 0; turn < TURNS; turn++) {
    await page.mouse.wheel(0, 300);
    await page.waitForTimeout(REST_MS);
  }
  const { ms: scroll_task_ms } = await longestTask(page);
  const before = await rows.first().getAttribute('data-job');
  const turn_ms = await timed(
    () => page.getByRole('button', { name: 'Older' }).click(),
    () => page.waitForFunction(otherRow, before, { timeout: PATIENCE_MS }),
  );
  const find_ms = await timed(
    () => page.getByRole('searchbox').fill('no such words'),
    () => page.getByText('Nothing like that in the history.').waitFor({ timeout: PATIENCE_MS }),
  );
  return { open_ms, scroll_task_ms, turn_ms, find_ms };
}

/** Runs in the page: another row is the first one now. */
function otherRow(before: string | null): boolean {
  const row = document.querySelector<HTMLElement>('section[aria-label="Finished files"] li[data-status]');
  return row !== null && row.dataset['job'] !== before;
}

/** Runs in the page: copies of the jobs that are there, with batches and steps of their own, until there are so many. */
async function copyHistory(wanted: { files: number; withSteps: number; ofADrop: number }): Promise<number> {
  const { files, withSteps, ofADrop } = wanted;
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('accession');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error('the database cannot be opened'));
  });
  const all = (table: string): Promise<Record<string, unknown>[]> =>
    new Promise((resolve, reject) => {
      const reading = database.transaction(table).objectStore(table).getAll();
      reading.onsuccess = () => resolve(reading.result as Record<string, unknown>[]);
      reading.onerror = () => reject(new Error(`${table} cannot be read`));
    });
  const have = await all('jobs');
  const jobs = have.filter(({ id }) => !String(id).includes('~'));
  const batches = await all('batches');
  const steps = (await all('steps')).filter(({ id }) => !String(id).includes('~'));
  for (let from = have.length; from < files;) {
    const until = Math.min(files, from + 100 * ofADrop);
    const writing = database.transaction(['jobs', 'batches', 'steps'], 'readwrite', { durability: 'relaxed' });
    for (; from < until; from++) {
      const job = jobs[from % jobs.length];
      if (job === undefined) throw new Error('there is no job to copy');
      const batch_id = `${String(job['batch_id'])}~${Math.floor(from / ofADrop)}`;
      const id = `${String(job['id'])}~${from}`;
      // One drop a minute, back into the past.
      const at = (name: string): number => Number(job[name]) - Math.floor(from / ofADrop) * 60_000;
      const times = { created_at: at('created_at'), updated_at: at('updated_at'), completed_at: at('completed_at') };
      const path = `Album ${Math.floor(from / ofADrop)}/${String(job['path'])}`;
      writing.objectStore('jobs').put({ ...job, ...times, id, batch_id, path, group_id: `${batch_id}/` });
      const batch = batches.find((one) => one['id'] === job['batch_id']);
      writing.objectStore('batches').put({ ...batch, id: batch_id, created_at: times.created_at });
      for (const step of from < withSteps ? steps.filter((one) => one['job_id'] === job['id']) : [])
        writing.objectStore('steps').put({ ...step, id: `${String(step['id'])}~${from}`, job_id: id });
    }
    await new Promise<void>((resolve, reject) => {
      writing.oncomplete = () => resolve();
      writing.onabort = () => reject(new Error('the rows could not be written'));
    });
  }
  const { length } = await all('jobs');
  database.close();
  return length;
}
