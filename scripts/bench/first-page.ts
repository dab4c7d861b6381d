/**
 * What a lane adds to a first visit, over the wire: the app is built twice, with the lane and without it, and each
 * is opened in a Chromium of its own without the service worker. Every file of the app that the page and its workers
 * fetch is counted, headers included and compressed as a proxy does it; what is asked of the API is not.
 */
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { CatalogServer } from '../../tests/e2e/support/catalog-server.ts';
import { findBrowser } from '../lib/browser.mjs';
import { countingProxy, listening } from './counting-proxy.ts';
import { inRoot } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { tool } from '../lib/tools.mjs';

const SOURCES = [
  'src',
  'static',
  'workers',
  'scripts',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'docs',
  'LICENSE',
];
/** The visit is over when no file was asked for in so long, milliseconds. */
const QUIET_MS = 4_000;

interface Visit {
  bytes: number;
  files: number;
}

/** @param lane its id, such as `library` */
export async function benchFirstPage({ lane }: { lane: string }): Promise<Record<string, number>> {
  const whole = await visit(null);
  const without = await visit(lane);
  return {
    first_page_bytes: whole.bytes,
    first_page_files: whole.files,
    [`first_page_without_${lane}_bytes`]: without.bytes,
    [`first_page_without_${lane}_files`]: without.files,
    [`first_page_${lane}_bytes`]: whole.bytes - without.bytes,
  };
}

/** Builds the app without this lane, or the whole of it, and opens it. */
async function visit(lane: string | null): Promise<Visit> {
  const folder = await mkdtemp(join(tmpdir(), 'accession-first-page-'));
  try {
    await copyApp(folder, lane);
    const { code, output } = await run(process.execPath, [tool('vite'), 'build', '--logLevel', 'warn'], {
      cwd: folder,
    });
    if (code !== 0) throw new Error(output);
    const server = await CatalogServer.start(join(folder, 'data'), join(folder, 'src/server/main.ts'));
    try {
      return await openPage(server);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyApp(folder: string, lane: string | null): Promise<void> {
  for (const name of SOURCES) await cp(inRoot(name), join(folder, name), { recursive: true });
  // Kit writes into `$app`.
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(inRoot('node_modules')))
    if (name !== '$app') await symlink(inRoot('node_modules', name), join(folder, 'node_modules', name));
  if (lane === null) return;
  const path = join(folder, 'src/lanes/lanes.ts');
  const lines = (await readFile(path, 'utf8')).split('\n');
  const others = lines.filter((line) => !line.includes(`'./${lane}/lane.ts'`));
  if (others.length === lines.length) throw new Error(`There is no lane "${lane}".`);
  await writeFile(path, others.join('\n').replace(new RegExp(`\\b${lane}, |, ${lane}\\b`), ''));
}

async function openPage(server: CatalogServer): Promise<Visit> {
  const seen: Visit = { bytes: 0, files: 0 };
  let last = Date.now();
  const proxy = countingProxy(new URL(server.origin), ({ bytes }) => {
    last = Date.now();
    seen.bytes += bytes;
    seen.files++;
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(process.execPath) });
  try {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.goto(`${await listening(proxy)}/#token=${server.token}`);
    await page.waitForSelector('input[type=file]', { state: 'attached' });
    while (Date.now() < last + QUIET_MS) await page.waitForTimeout(200);
    return seen;
  } finally {
    await browser.close();
    proxy.closeAllConnections();
    proxy.close();
  }
}
