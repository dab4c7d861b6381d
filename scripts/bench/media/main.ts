import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { removeProfile } from './disk-browser.ts';
import { findBrowser } from '../../lib/browser.mjs';
import type { Bench, Figure } from './bench.types.ts';
import { GROUPS } from './groups.ts';
import { treeCpu, treeMemory } from './processes.ts';
import { openMediaSite } from './site.ts';

/**
 * The app's own media workers in headless Chromium beside native tools. `only` names the groups to run, all when
 * it is empty. Prints each figure with its noise as it comes.
 */
export async function benchMedia(options: {
  only: readonly string[];
  rounds: number;
  seconds: number;
  size: number;
}): Promise<Record<string, number>> {
  const groups = GROUPS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  if (groups.length === 0)
    throw new Error(`There is no group of that name: ${GROUPS.map(({ name }) => name).join(', ')}.`);
  const folder = await mkdtemp(join(tmpdir(), 'accession-bench-'));
  const site = await openMediaSite(folder);
  const server = await chromium.launchServer({ executablePath: await findBrowser(process.execPath) });
  const browser = await chromium.connect(server.wsEndpoint());
  const pid = server.process().pid ?? 0;
  const figures: Record<string, number> = {};
  try {
    for (const group of groups) {
      const context = await browser.newContext();
      const page = await openPage(await context.newPage(), site.url);
      const bench: Bench = {
        rounds: options.rounds,
        seconds: options.seconds,
        size: options.size,
        folder,
        page,
        files: `${site.url}/files`,
        browserCpu: () => treeCpu(pid),
        browserMemory: () => treeMemory(pid),
      };
      for (const figure of await group.run(bench)) {
        figures[figure.name] = figure.value;
        print(figure);
      }
      await context.close();
    }
    return figures;
  } finally {
    await browser.close();
    await server.close();
    site.close();
    await removeProfile(folder);
  }
}

async function openPage(page: Page, url: string): Promise<Page> {
  page.on('pageerror', (error) => console.error(error));
  await page.goto(url);
  await page.waitForFunction(() => document.title === 'ready');
  return page;
}

function print({ name, value, noise }: Figure): void {
  const around = noise === undefined ? '' : `  +- ${noise.toFixed(3)}`;
  console.log(`${name.padEnd(36)}${value.toFixed(3).padStart(10)}${around}`);
}
