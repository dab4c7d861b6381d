import { chromium, type Page } from '@playwright/test';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { packCatalog } from '#lanes/music/core/index/compact-catalog.ts';
import { syntheticCatalog } from '../eval/catalog.ts';
import { damage } from '../eval/damage.ts';
import { seeded, type Random } from '../eval/random.ts';
import { findBrowser } from '../lib/browser.mjs';
import { changePages } from './changes.ts';
import type { Order, Query, Report } from './messages.ts';
import { catalogAnswers } from './first-load.ts';
import { compactOf, SEED } from './pack.ts';
import { openSite } from './site.ts';

const QUERIES = 600;
const CHANGES = 10_000;
const PAGE_SIZE = 5000;
/** MiniSearch does not hold a million in a browser's memory beside ours: both are compared on this many. */
const COMPARED = 100_000;
const COMPARED_QUERIES = 200;
/** A browser fills itself from a catalog of at most this many: once from the snapshot, once page by page. */
const FIRST_LOAD = 200_000;

/** The app's replica in a worker of headless Chromium, from a file in OPFS. */
export async function benchReplica(tracks: number, firstLoad = FIRST_LOAD): Promise<Record<string, number>> {
  const catalog = syntheticCatalog({ seed: SEED, tracks });
  const { catalog: compact, strings } = compactOf(catalog, { catalog_id: 'bench', version: 1 });
  const random = seeded(9);
  const queries = queriesFrom(random, catalog, QUERIES);
  const few = catalog.tracks.slice(0, COMPARED);
  const loaded = syntheticCatalog({ seed: SEED, tracks: Math.min(tracks, firstLoad) });
  const site = await openSite(packCatalog(compact, strings), catalogAnswers(loaded));
  const browser = await chromium.launch({ executablePath: await findBrowser(process.execPath) });
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    const stored = await ask(page, { do: 'store', tracks: catalog.tracks.length });
    const opened: number[] = [];
    for (let n = 0; n < 3; n++) opened.push(numberOf(await ask(page, { do: 'open' }), 'open_ms'));
    const before = await memory(page);
    const searched = await ask(page, { do: 'search', queries }, true);
    const held = (await memory(page)) - before;
    const delta = await ask(page, { do: 'delta', pages: changePages(random, catalog, CHANGES, PAGE_SIZE) });
    const compared = await ask(page, {
      do: 'compare',
      titles: few.map((track) => track.title),
      queries: queriesFrom(random, { ...catalog, tracks: few }, COMPARED_QUERIES),
    });
    const first = await ask(page, { do: 'first', from: 'snapshot' });
    const paged = await ask(page, { do: 'first', from: 'feed' });
    const ownP50 = percentile(compared, 'own_ms', 0.5);
    const otherP50 = percentile(compared, 'minisearch_ms', 0.5);
    return {
      'replica.tracks': catalog.tracks.length,
      'replica.file_mb': numberOf(stored, 'stored_bytes') / 1e6,
      'replica.open_ms': opened.sort((a, b) => a - b)[1] ?? NaN,
      'replica.memory_mb': held / 1e6,
      'replica.search_p50_ms': percentile(searched, 'search_ms', 0.5),
      'replica.search_p99_ms': percentile(searched, 'search_ms', 0.99),
      'replica.key_p50_ms': percentile(searched, 'key_ms', 0.5),
      'replica.key_p99_ms': percentile(searched, 'key_ms', 0.99),
      'replica.delta_10k_ms': numberOf(delta, 'delta_ms'),
      'replica.delta_10k_applied_ms': numberOf(delta, 'applied_ms'),
      'replica.delta_10k_overlay_ms': numberOf(delta, 'overlay_ms'),
      'replica.delta_10k_blocked_ms': numberOf(delta, 'blocked_ms'),
      'replica.first_load_tracks': numberOf(first, 'rows'),
      'replica.first_load_s': numberOf(first, 'first_ms') / 1000,
      'replica.first_load_blocked_ms': numberOf(first, 'blocked_ms'),
      'replica.first_load_feed_s': numberOf(paged, 'first_ms') / 1000,
      'replica.first_load_feed_blocked_ms': numberOf(paged, 'blocked_ms'),
      'replica.first_load_count_ms': numberOf(paged, 'count_ms'),
      'replica.compared_tracks': few.length,
      'replica.compared_p50_ms': ownP50,
      'replica.minisearch_p50_ms': otherP50,
      'replica.minisearch_p99_ms': percentile(compared, 'minisearch_ms', 0.99),
      'replica.p50_ratio_to_minisearch': ownP50 / otherP50,
    };
  } finally {
    await browser.close();
    site.close();
  }
}

/** Titles of the catalog, half of them as people type them. */
function queriesFrom(random: Random, catalog: CatalogFile, count: number): Query[] {
  return Array.from({ length: count }, () => {
    const { title, duration_ms } = random.pick(catalog.tracks);
    return { text: random.chance(0.5) ? damage(random, title, 0.08) : title, duration_ms: duration_ms ?? null };
  });
}

/** Has an order carried out by a new worker; `keep` leaves that worker running, for its memory. */
async function ask(page: Page, order: Order, keep = false): Promise<Report> {
  return page.evaluate(
    ({ order: sent, keep: left }) =>
      new Promise<Report>((resolve, reject) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onerror = (event) => reject(new Error(event.message));
        worker.onmessage = ({ data }: MessageEvent<{ report: Report } | { error: string }>) => {
          if (!left) worker.terminate();
          if ('report' in data) resolve(data.report);
          else reject(new Error(data.error));
        };
        worker.postMessage(sent);
      }),
    { order, keep },
  );
}

/** Bytes that the page and its workers hold after a collection of garbage, buffers included. */
async function memory(page: Page): Promise<number> {
  return page.evaluate(async () => {
    if (!('measureUserAgentSpecificMemory' in performance)) throw new Error('This browser cannot measure its memory.');
    const measure = performance.measureUserAgentSpecificMemory as () => Promise<{ bytes: number }>;
    return (await measure.call(performance)).bytes;
  });
}

function numberOf(report: Report, name: string): number {
  const value = report[name];
  if (typeof value !== 'number') throw new Error(`The benchmark did not report ${name}.`);
  return value;
}

function percentile(report: Report, name: string, share: number): number {
  const list = report[name];
  if (!Array.isArray(list)) throw new Error(`The benchmark did not report ${name}.`);
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
