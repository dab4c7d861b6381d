/**
 * What a first visit costs until all is kept for a start without the server: processor time of the browser's processes,
 * requests and bytes. The codecs (32 MB) are in the bytes.
 */
import { codecsAreKept } from '../../tests/e2e/support/page-state.ts';
import { buildIfChanged } from '../lib/build.mjs';
import { withCountedApp } from './counted-app.ts';
import type { Counted } from './counting-proxy.ts';
import { treeCpu } from './media/processes.ts';

/** The visit is over when no file was asked for in so long, milliseconds. */
const QUIET_MS = 4_000;

export async function benchFirstVisit({ rounds }: { rounds: number }): Promise<Record<string, number>> {
  await buildIfChanged(process.execPath);
  const visits = [];
  for (let round = 0; round < rounds; round++) visits.push(await visit());
  const [middle] = visits.toSorted((a, b) => a.cpu - b.cpu).slice(Math.floor(rounds / 2));
  if (!middle) throw new Error('there was no round');
  return { first_visit_cpu_s: middle.cpu, first_visit_files: middle.files, first_visit_mb: middle.bytes / 1e6 };
}

async function visit(): Promise<{ cpu: number; files: number; bytes: number }> {
  let [files, bytes, last] = [0, 0, Date.now()];
  const counted = (file: Counted): void => {
    files++;
    bytes += file.bytes;
    last = Date.now();
  };
  return withCountedApp(counted, undefined, async ({ browser, link }) => {
    const before = treeCpu(browser.pid);
    await browser.page.goto(link);
    await browser.page.waitForSelector('input[type=file]', { state: 'attached' });
    while (!(await browser.page.evaluate(codecsAreKept)) || Date.now() < last + QUIET_MS)
      await browser.page.waitForTimeout(500);
    return { cpu: treeCpu(browser.pid) - before, files, bytes };
  });
}
