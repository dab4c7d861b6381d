/**
 * A person's first minute: what the page moves over the wire, and how soon it can be used. The server gives the app out
 * compressed, as it does after `npm start`; every byte and request is counted on its way (counting-proxy.ts), headers
 * included. What the service worker fetches for a start without a network is counted apart: nobody waits for it.
 *
 *   open -> a file can be dropped (js_kb_to_drop, usable_s) -> Try it -> its first step (js_kb_to_try, requests_to_try)
 *   open over a slow line on a slow processor (usable_slow_s)
 *   60 files dropped (longest_task_ms)
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { CATALOG, DRY_SEASON, NINE_CRATES, PAPER_LANTERNS, SIGNAL_FIRES, WEIR } from '../../tests/e2e/catalog.ts';
import { Api } from '../../tests/e2e/support/api.ts';
import { albumFiles } from '../../tests/e2e/support/album-files.ts';
import { buildIfChanged } from '../lib/build.mjs';
import { inRoot } from '../lib/paths.mjs';
import { withCountedApp } from './counted-app.ts';
import type { Counted } from './counting-proxy.ts';
import { noteDropZone } from './drop-zone.ts';
import { forgetTasks, longestTask, watchTasks } from './media/main-thread.ts';

/** 1.6 Mbit/s down, half of that up, 150 ms to the server and back, a processor of a quarter of the speed. */
const SLOW = { bytesPerSecond: 200_000, latencyMs: 150, processor: 4 };
/** Milliseconds. */
const PATIENCE = { usable: 120_000, step: 120_000, drop: 30_000 };

export async function benchPage(): Promise<Record<string, number>> {
  await buildIfChanged(process.execPath);
  // At once on a build whose files are compressed.
  await promisify(execFile)(process.execPath, [inRoot('scripts/compress.mjs')]);
  const first = await firstUse();
  const usable_slow_s = await slowStart();
  const longest_task_ms = await sixtyFiles();
  const all = { ...first, usable_slow_s, longest_task_ms };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`page.${name}`, value]));
}

async function firstUse(): Promise<Record<string, number>> {
  return withPage(async ({ page, api, open, seen }) => {
    // The smaller of the demo's: it is converted in a minute.
    await api.requestAlbum(NINE_CRATES.id);
    const { seconds: usable_s, at } = await open();
    const toDrop = seen(at);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.locator('[data-status]:not([data-status="PENDING"])').first().waitFor({ timeout: PATIENCE.step });
    const toTry = seen();
    return {
      ...{ usable_s, js_kb_to_drop: scripts(toDrop), requests_to_drop: toDrop.length, kb_to_drop: kb(toDrop) },
      ...{ js_kb_to_try: scripts(toTry), requests_to_try: toTry.length, kb_to_try: kb(toTry) },
    };
  });
}

function slowStart(): Promise<number> {
  return withPage(async ({ page, open }) => {
    const cdp = await page.context().newCDPSession(page);
    const { bytesPerSecond, latencyMs, processor } = SLOW;
    const line = { latency: latencyMs, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond / 2 };
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', { offline: false, ...line });
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: processor });
    return (await open()).seconds;
  });
}

async function sixtyFiles(): Promise<number> {
  const albums = [PAPER_LANTERNS, WEIR, SIGNAL_FIRES, DRY_SEASON, NINE_CRATES];
  const made = await Promise.all(albums.map((album) => albumFiles(album, { format: 'flac', tagged: true })));
  return withPage(async ({ page, folder, choose, open }) => {
    const paths = await Promise.all(
      made.flatMap((files, album) =>
        files.map(async ({ name, bytes }) => {
          const path = join(folder, 'music', String(album), name);
          await mkdir(join(path, '..'), { recursive: true });
          await writeFile(path, bytes);
          return path;
        }),
      ),
    );
    await open();
    // What begins with the page is over; a person who finds sixty files needs longer.
    await page.waitForTimeout(5_000);
    await forgetTasks(page);
    await choose(paths.slice(0, 60));
    await page.waitForTimeout(PATIENCE.drop);
    return (await longestTask(page)).ms;
  });
}

interface Opened {
  page: Page;
  api: Api;
  folder: string;
  /** Seconds until a file can be dropped, and when that was, as the page's own clock has it: the driver hears of it later. */
  open(): Promise<{ seconds: number; at: number }>;
  choose(paths: readonly string[]): Promise<void>;
  /** What the page and its workers have been given so far, or until a moment. */
  seen(until?: number): Counted[];
}

async function withPage<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
  const counted: (Counted & { at: number })[] = [];
  const count = (file: Counted): void => void counted.push({ ...file, at: Date.now() });
  return withCountedApp(count, watchTasks, async ({ browser, server, folder, link }) => {
    const { page } = browser;
    const api = new Api(server.origin, server.token);
    await api.importCatalog(CATALOG);
    return work({
      ...{ page, api, folder },
      async open() {
        await page.addInitScript(noteDropZone);
        const begun = Date.now();
        await page.goto(link, { waitUntil: 'commit', timeout: PATIENCE.usable });
        await page.getByLabel('Add files', { exact: true }).waitFor({ state: 'attached', timeout: PATIENCE.usable });
        const at = await page.evaluate(() => Reflect.get(globalThis, 'dropZoneAt') as number);
        return { seconds: (at - begun) / 1000, at };
      },
      choose: (paths) => browser.choose('input[type=file]', paths),
      seen: (until = Infinity) => counted.filter(({ by, at }) => by === 'page' && at <= until),
    });
  });
}

const kb = (files: readonly Counted[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
const scripts = (files: readonly Counted[]): number => kb(files.filter(({ type }) => type.includes('javascript')));
