/** Chromium with a profile on disk: in a private window OPFS lies in memory, which would be measured as the app's. */
import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { chromium, type Browser, type Page } from '@playwright/test';
import { findBrowser } from '../../lib/browser.mjs';

/** Milliseconds that a browser has to end by itself. */
const END_MS = 10_000;

export interface AppBrowser {
  page: Page;
  /** Of the browser's first process; the others descend from it. */
  pid: number;
  /** Gives files of the disk to a file input, by their paths: nothing of them passes through a pipe. */
  choose(selector: string, paths: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** `init`, if any, runs in every page before the page's own code. */
export async function openAppBrowser(profile: string, init?: () => void): Promise<AppBrowser> {
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'];
  const child = spawn(await findBrowser(process.execPath), [...flags, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Not `exit`: its other processes hold the pipe for as long as they run.
  const ended = new Promise((resolve) => child.once('close', resolve));
  const browser = await chromium.connectOverCDP(await debuggerOf(child), { timeout: 120_000 });
  const context = browser.contexts()[0] ?? (await browser.newContext());
  const page = await context.newPage();
  if (init) await page.addInitScript(init);
  page.on('pageerror', (error) => console.error(error));
  const cdp = await context.newCDPSession(page);
  return {
    page,
    pid: child.pid ?? 0,
    async choose(selector, paths) {
      const { root } = await cdp.send('DOM.getDocument');
      const { nodeId } = await cdp.send('DOM.querySelector', {
        nodeId: root.nodeId,
        selector,
      });
      await cdp.send('DOM.setFileInputFiles', { files: [...paths], nodeId });
    },
    close: () => closeBrowser(browser, child, ended),
  };
}

/** Ends the browser; resolves when none of its processes writes any more. */
async function closeBrowser(browser: Browser, child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  await browser.close();
  child.kill();
  const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(late);
}

/** Removes a profile, or a folder that holds one. What a process that was killed still had open is tried again. */
export function removeProfile(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** The address that Chromium prints when it listens. */
async function debuggerOf(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`Chromium ended: ${printed}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}
