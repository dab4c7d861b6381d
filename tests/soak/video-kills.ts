/**
 * Renames of forty files in a browser that is killed while they run, and opened again on the same profile:
 *
 *   folder dropped -> confirmed -> renamed -> killed at its instant -> opened again -> put right -> judged -> next folder
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { allowFolders, dropFolder } from '../e2e/support/real-folder.ts';
import { KillableBrowser } from './killable-browser.ts';
import { filesIn, judge, makeFolder, showFiles, type FolderFindings } from './video-folder.ts';

const FILES = 40;
/** What takes longer never ends. Milliseconds. */
const LONGEST_MS = 60_000;

export interface VideoKills {
  executable: string;
  /** Of the browser, kept over the kills. */
  profile: string;
  /** Where folders are made. */
  folder: string;
  origin: string;
  /** What the person opens: the app with their token. */
  link: string;
  /** Milliseconds from the press of the button to each kill. */
  delays: readonly number[];
}

export interface VideoKill extends FolderFindings {
  /** Files that had their new name when the browser was gone. */
  atKill: number;
}

export async function videoKills(options: VideoKills, heard?: (kill: VideoKill) => void): Promise<VideoKill[]> {
  await allowFolders(options.profile, options.origin);
  const kills: VideoKill[] = [];
  let browser = await KillableBrowser.start(options.executable, options.profile);
  try {
    await browser.page.goto(options.link);
    await openVideo(browser.page, options.origin);
    for (const [number, delay] of options.delays.entries()) {
      const folder = join(options.folder, `Show ${number + 1}`);
      const files = showFiles(FILES);
      await makeFolder(folder, files);
      await begin(browser.page, folder);
      await wait(delay);
      await browser.kill();
      const atKill = judge(await filesIn(folder), files).renamed;
      browser = await KillableBrowser.start(options.executable, options.profile);
      await openVideo(browser.page, options.origin);
      await putRight(browser.page);
      const kill = { ...judge(await filesIn(folder), files), atKill };
      kills.push(kill);
      heard?.(kill);
    }
  } finally {
    await browser.kill();
  }
  return kills;
}

async function openVideo(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/video`);
  await page.getByRole('heading', { name: 'Video' }).waitFor({ timeout: LONGEST_MS });
  // What takes a folder is loaded behind the heading.
  await page.getByText('Drop a folder of a show here').waitFor({ timeout: LONGEST_MS });
}

async function begin(page: Page, folder: string): Promise<void> {
  await dropFolder(page, folder);
  await page.getByRole('button', { name: `Confirm ${FILES} files` }).click({ timeout: LONGEST_MS });
  await page.getByRole('button', { name: `Rename ${FILES} files` }).click({ timeout: LONGEST_MS });
}

/** Nothing is pressed: the app finds what was interrupted by itself. */
async function putRight(page: Page): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while ((await page.evaluate(openJournals)) > 0) {
    if (performance.now() > end) throw new Error('the interrupted rename is never put right');
    await wait(50);
  }
}

/** Runs in the page. */
async function openJournals(): Promise<number> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('accession');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error('the database cannot be opened'));
  });
  try {
    return await new Promise((resolve, reject) => {
      const counting = database.transaction('rename_journals').objectStore('rename_journals').index('open').count(1);
      counting.onsuccess = () => resolve(counting.result);
      counting.onerror = () => reject(new Error('the journals cannot be counted'));
    });
  } finally {
    database.close();
  }
}
