/** A large folder read by a browser that is killed, then by one without a server, with an agent dropped in meanwhile. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import type { CatalogServer } from '../e2e/support/catalog-server.ts';
import { allowFolders, dropFolder } from '../e2e/support/real-folder.ts';
import { KillableBrowser } from './killable-browser.ts';

export interface LibraryKillsOptions {
  executable: string;
  server: CatalogServer;
  /** An empty directory. */
  directory: string;
  files: number;
  /** Characters of each, below 1,500, so that it is one chunk. */
  characters: number;
  /** A kill for each, so long after the first file was read, milliseconds. */
  delays: readonly number[];
  said?(line: string): void;
}

export interface LibraryKillsFigures {
  files: number;
  chunks: number;
  /** Files that were looked for by a word of their own, and those that were not found, or not once. */
  asked: number;
  wrong: number;
  /** Tasks of the page's thread of more than 50 ms while the folder was read, as the browser counts them; milliseconds. */
  longTasks: number[];
  /** From the drop until all can be searched. */
  readMs: number;
}

const AGENT = `---
agentId: pascal-ingester
name: Pascal Ingester
capabilities:
  - ingest:pas
priority: 15
---

## System Prompt

You are a Pascal code analyzer.
`;
/** Endings by turns; of the third kind are files for the agent that is dropped in. */
const ENDINGS = ['md', 'py', 'pas', 'md', 'py'];
const nameOf = (n: number): string => `f${n}.${ENDINGS[n % ENDINGS.length] ?? 'md'}`;
/** A word that no other file has, nor any part of it. */
const wordOf = (n: number): string => `w${[...String(n)].map((digit) => 'bcdfghjkmn'[Number(digit)] ?? '').join('')}q`;

async function makeFolder(folder: string, files: number, characters: number): Promise<void> {
  await mkdir(folder);
  for (let n = 0; n < files; n++) {
    const text = `This file says ${wordOf(n)}. ${'Boats come and go in the harbour. '.repeat(Math.ceil(characters / 34))}`;
    const one = text.slice(0, characters).trim();
    await writeFile(join(folder, nameOf(n)), nameOf(n).endsWith('.py') ? `"""${one}"""\n` : `${one}\n`);
  }
}

/** Throws where the page does not say what it should; what is wrong in the library is in the figures. */
export async function libraryKills(options: LibraryKillsOptions): Promise<LibraryKillsFigures> {
  const { executable, server, directory, files, characters, delays, said } = options;
  const folder = join(directory, 'Many');
  const profile = join(directory, 'profile');
  const agent = join(directory, 'pascal.md');
  await makeFolder(folder, files, characters);
  await writeFile(agent, AGENT);
  await mkdir(profile, { recursive: true });
  await allowFolders(profile, server.origin);
  let browser = await KillableBrowser.start(executable, profile);
  try {
    await browser.page.goto(server.signInLink);
    await expect(browser.page.getByRole('heading', { name: 'Ingest' })).toBeVisible();
    await browser.page.evaluate(async () => void (await navigator.serviceWorker.ready));
    for (const delay of delays) {
      await open(browser.page, server.origin);
      await dropFolder(browser.page, folder);
      const reading = browser.page.getByText(/^[1-9]\d* of \d+ files$/);
      await expect(reading.or(done(browser.page, files))).toBeVisible({ timeout: 120_000 });
      await wait(delay);
      said?.(
        `killed ${delay} ms after the first file: ${(await reading.textContent({ timeout: 500 }).catch(() => null)) ?? 'all were read'}`,
      );
      await browser.kill();
      browser = await KillableBrowser.start(executable, profile);
    }
    await server.kill();
    return await readOffline(browser.page, { origin: server.origin, folder, agent, files });
  } finally {
    await browser.kill();
  }
}

const done = (page: Page, files: number) => page.getByText(new RegExp(`^${files} files, \\d+ chunks`));

async function open(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/library`);
  await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
}

async function readOffline(
  page: Page,
  { origin, folder, agent, files }: { origin: string; folder: string; agent: string; files: number },
): Promise<LibraryKillsFigures> {
  await page.addInitScript(() => {
    const seen: number[] = [];
    new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
    Object.assign(window, { longTasks: seen });
  });
  const longTasks = () =>
    page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks.splice(0).map(Math.round));
  await open(page, origin);
  // A folder that is read anew: the whole of it is timed, not what the kills left over.
  const remove = page.getByRole('button', { name: 'Remove Many' });
  await expect(remove.or(page.getByText('Drop a folder here, or open one'))).not.toHaveCount(0);
  await dropFolder(page, folder);
  await expect(done(page, files)).toBeVisible({ timeout: 240_000 });
  const [all, chunks] = numbersIn((await done(page, files).first().textContent()) ?? '');
  const { asked, wrong } = await ask(page, files);
  await page.getByRole('searchbox', { name: 'Search the library' }).fill('');
  await remove.click();
  await expect(remove).toBeHidden();
  await longTasks();
  const begun = performance.now();
  await dropFolder(page, folder);
  await expect(page.getByText(/^[1-9]\d* of \d+ files$/)).toBeVisible({ timeout: 60_000 });
  await dropFolder(page, agent);
  const row = page.getByRole('row').filter({ hasText: 'Pascal Ingester' });
  await expect(row).toContainText('Not now: no model is set up');
  await expect(done(page, files)).toBeVisible({ timeout: 240_000 });
  const readMs = performance.now() - begun;
  const tasks = await longTasks();
  const [again] = numbersIn((await done(page, files).first().textContent()) ?? '').slice(1);
  const differs = again === chunks ? 0 : 1;
  return { files: all ?? 0, chunks: chunks ?? 0, asked, wrong: wrong + differs, longTasks: tasks, readMs };
}

const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** Ten files, each by its own word: it is the only passage. */
async function ask(page: Page, files: number): Promise<{ asked: number; wrong: number }> {
  const search = page.getByRole('searchbox', { name: 'Search the library' });
  let wrong = 0;
  const wanted = Array.from({ length: 10 }, (_, at) => Math.floor((at * (files - 1)) / 9));
  for (const n of wanted) {
    await search.fill(wordOf(n));
    const hits = page.locator('a.passage');
    const right = hits.filter({ hasText: nameOf(n) });
    await expect(right)
      .toHaveCount(1, { timeout: 10_000 })
      .catch(() => (wrong += 1));
    if ((await hits.count()) !== 1) wrong += 1;
  }
  return { asked: wanted.length, wrong };
}
