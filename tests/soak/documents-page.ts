/**
 * `npm run soak -- documents-page [--kills N] [--seed N]`: forty PDFs of a real folder are written and named anew by the
 * Documents page, in a browser that is killed in the middle of the work and opened again. Ends with code 1 when a file
 * was neither as before nor as planned, the manifest was no whole one, or it was not brought to an end by itself.
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { mulberry32 } from '#core/mulberry32.ts';
import { readManifest } from '#lanes/documents/core/manifest/manifest.ts';
import { CatalogServer } from '../e2e/support/catalog-server.ts';
import { allowFolders, dropFolder } from '../e2e/support/real-folder.ts';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { crossrefWork } from '../fixtures/metadata-server.ts';
import { changed } from './changed-files.ts';
import { KillableBrowser } from './killable-browser.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1) throw new Error('--kills must be a whole number from 1 on.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.');

const FILES = 40;
const LONGEST_MS = 180_000;
const TITLE = (n: number): string => `Counting the rivers of the valley, part ${n}`;
const random = mulberry32(seed);
const base = await mkdtemp(join(tmpdir(), 'accession-soak-'));
const [profile, executable] = [join(base, 'profile'), process.env['ACCESSION_BROWSER'] ?? ''];
// Stopped by hand, it takes its browser with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const server = await CatalogServer.start(join(base, 'server'));
const held: { browser: KillableBrowser | null } = { browser: null };
try {
  await allowFolders(profile, server.origin);
  await soak();
} finally {
  await held.browser?.kill();
  await server.kill();
  await rm(base, { recursive: true, force: true });
}

async function papers(name: string): Promise<string> {
  const folder = join(base, name);
  await mkdir(folder);
  for (let n = 1; n <= FILES; n++) {
    const page = [
      { text: `https://doi.org/10.5555/river.${n}`, x: 72, y: 700 },
      ...column(72, 650, [TITLE(n), 'Twice.']),
    ];
    await writeFile(join(folder, `${n}.pdf`), makePdf([page]));
  }
  return folder;
}

/** PDFs by name, each with the SHA-256 of its content. */
async function contents(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pdf'));
  const hash = async (name: string): Promise<[string, string]> => [
    name,
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex'),
  ];
  return new Map(await Promise.all(names.map(hash)));
}

/** How many entries the manifest has; null: it is no whole one. */
async function entriesOfManifest(folder: string): Promise<number | null> {
  try {
    const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null);
    return readManifest(text, 'manifest.json').entries.length;
  } catch {
    return null;
  }
}

async function opened(link: string): Promise<Page> {
  const browser = await KillableBrowser.start(executable, profile);
  held.browser = browser;
  const { page } = browser;
  await page.context().route(/^https:\/\//, async (route) => {
    const doi = decodeURIComponent(/crossref\.org\/works\/([^?]+)/.exec(route.request().url())?.[1] ?? '');
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
    await route.fulfill({ headers, body: crossrefWork(doi, { title: [TITLE(Number(doi.split('.').at(-1)))] }) });
  });
  await page.goto(link);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: LONGEST_MS });
  await page.goto(`${server.origin}/documents`);
  await page.getByText('Drop PDFs here').waitFor({ timeout: LONGEST_MS });
  return page;
}

/** Up to the press that confirms all. */
async function begin(page: Page, folder: string): Promise<void> {
  await dropFolder(page, folder);
  const look = page.getByRole('button', { name: 'Look up', exact: true });
  const write = page.getByRole('button', { name: `Write ${FILES}`, exact: true });
  await look.or(write).first().waitFor({ timeout: LONGEST_MS });
  if (await look.isVisible()) await look.click();
  await write.click({ timeout: LONGEST_MS });
}

/** Until so many files are written into or have another name. */
function written(folder: string, count: number): Promise<boolean> {
  const names = Array.from({ length: FILES }, (_, i) => join(folder, `${i + 1}.pdf`));
  return changed(names, { count, longestMs: LONGEST_MS });
}

/** Nothing is pressed: the app finds what was interrupted by itself. */
async function settled(page: Page): Promise<boolean> {
  const end = performance.now() + LONGEST_MS;
  while ((await page.evaluate(openWork)) > 0) {
    if (performance.now() > end) return false;
    await wait(50);
  }
  return true;
}

/** Runs in the page: plans that are not decided, and journals that are open. */
async function openWork(): Promise<number> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('accession');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error('the database cannot be opened'));
  });
  const counted = (request: IDBRequest<number>): Promise<number> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error('it cannot be counted'));
    });
  try {
    const reading = database.transaction(['rename_journals', 'document_plans']);
    const journals = counted(reading.objectStore('rename_journals').index('open').count(1));
    return (await counted(reading.objectStore('document_plans').index('status').count('pending'))) + (await journals);
  } finally {
    database.close();
  }
}

async function soak(): Promise<void> {
  let page = await opened(server.signInLink);
  const whole = await papers('Whole');
  const before = new Set((await contents(whole)).values());
  await begin(page, whole);
  const pressed = performance.now();
  await written(whole, 1);
  const begun = performance.now();
  await page.getByRole('heading', { name: `${FILES} documents written` }).waitFor({ timeout: LONGEST_MS });
  const [preparedMs, tookMs] = [begun - pressed, performance.now() - begun];
  const after = new Set((await contents(whole)).values());
  process.stdout.write(
    `seed ${seed}, ${Math.round(preparedMs)} ms until the first file is another, ${Math.round(tookMs)} ms from there\nkill  written then  torn  manifest torn  written now\n`,
  );
  const sums = { kills: 0, midway: 0, torn: 0, manifest_torn: 0, unfinished: 0 };
  for (let kill = 1; kill <= count; kill++) {
    const folder = await papers(`Papers ${kill}`);
    await page.goto(`${server.origin}/documents`);
    await page.getByText('Drop PDFs here').waitFor({ timeout: LONGEST_MS });
    await begin(page, folder);
    // Every fourth one while it is prepared, the others in the middle of the steps.
    if (kill % 4 === 0) await wait(random() * preparedMs);
    else await written(folder, 1 + Math.floor(random() * (FILES - 1)));
    await held.browser?.kill();
    const then = [...(await contents(folder)).values()];
    const torn = then.filter((hash) => !before.has(hash) && !after.has(hash)).length + Math.abs(FILES - then.length);
    const done = then.filter((hash) => after.has(hash)).length;
    const manifest = await entriesOfManifest(folder);
    page = await opened(server.signInLink);
    const ended = await settled(page);
    const now = [...(await contents(folder)).values()];
    const [all, none] = [now.every((hash) => after.has(hash)), now.every((hash) => before.has(hash))];
    const entries = await entriesOfManifest(folder);
    const right = ended && now.length === FILES && ((all && entries === FILES) || (none && entries === 0));
    sums.kills += 1;
    sums.midway += Number(done > 0 && done < FILES);
    sums.torn += torn;
    sums.manifest_torn += Number(manifest === null);
    sums.unfinished += Number(!right);
    const cells = [
      kill,
      done,
      torn,
      Number(manifest === null),
      right ? now.filter((hash) => after.has(hash)).length : '?',
    ];
    process.stdout.write(`${cells.map((cell, i) => `${cell}`.padStart([4, 12, 4, 13, 11][i] ?? 0)).join('  ')}\n`);
  }
  const took = { prepared_ms: Math.round(preparedMs), steps_ms: Math.round(tookMs) };
  const figures = Object.fromEntries(
    Object.entries({ ...sums, ...took }).map(([name, value]) => [`documents_page.${name}`, value]),
  );
  const file = process.env['ACCESSION_FIGURES'];
  if (file !== undefined) await writeFile(file, JSON.stringify(figures));
  if (sums.torn + sums.manifest_torn + sums.unfinished > 0) process.exitCode = 1;
}
