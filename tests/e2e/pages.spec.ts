/** Every page of the app as a screen reader and a narrow phone get it. */
import { readdir, readFile } from 'node:fs/promises';
import { noteDropZone } from '../../scripts/bench/drop-zone.ts';
import { makeAudio } from '../fixtures/audio.ts';
import { SHORT_WAVES } from './catalog.ts';
import { axeFindings } from './support/axe.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const ROOT = new URL('../../src/', import.meta.url);

/** Addresses of all pages without parameters, as lanes and routes name them. */
async function staticPages(): Promise<string[]> {
  const lanes = await readdir(new URL('lanes/', ROOT), { withFileTypes: true });
  const ofLanes = lanes.flatMap(async (lane) => {
    if (!lane.isDirectory()) return [];
    const folder = new URL(`lanes/${lane.name}/ui/`, ROOT);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
    return texts.flatMap((text) => [...text.matchAll(/path: '([^'[\]]+)'/g)].flatMap(([, path]) => path ?? []));
  });
  const routes = await readdir(new URL('routes/', ROOT), { recursive: true });
  const ofRoutes = routes.flatMap((file) => /^(?:(.+)\/)?\+page\.svelte$/.exec(file)?.[1] ?? []);
  const found = [...(await Promise.all(ofLanes)).flat(), ...ofRoutes];
  return [...new Set(found)].filter((path) => !path.includes('[')).sort();
}

test('UI-366 axe finds nothing on any page, at 1280 and 390 pixels, light and dark', async ({ app, api, page }) => {
  await api.requestAlbum(SHORT_WAVES.id);
  const bytes = await makeAudio({ format: 'flac', seconds: 3, seed: 1, tags: { album: 'Nobody’s', artist: 'Nobody' } });
  await app.addFiles([{ name: 'unknown.flac', bytes }]);
  await app.waitForStatus('unknown.flac', 'AWAITING_REVIEW');
  await app.waitForReplica();
  const link = page.getByRole('link', { name: 'unknown.flac' }).first();
  const job = (await link.getAttribute('href')) ?? '';
  const batch = (await page.locator('a[href*="/batches/"]').first().getAttribute('href')) ?? '';
  const album = `/catalog/albums/${SHORT_WAVES.id}`;
  const paths = [
    '/',
    ...(await staticPages()).map((path) => `/${path}`),
    job,
    batch,
    album,
    `${album}/edit`,
    '/no/such/page',
  ];
  expect(paths.length).toBeGreaterThan(20);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  const found: string[] = [];
  for (const path of paths) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(new URL(path, page.url()).href);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    for (const [width, colorScheme, only] of [
      [1280, 'light', undefined],
      [1280, 'dark', ['color-contrast']],
      [390, 'dark', undefined],
      [390, 'light', ['color-contrast']],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      found.push(...(await axeFindings(page, only)).map((finding) => `${path} ${width} ${colorScheme}: ${finding}`));
      if (process.env['ACCESSION_PICTURES'] !== undefined)
        await page.screenshot({
          path: `${process.env['ACCESSION_PICTURES']}/${path.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}.png`,
        });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over, `${path} at ${width} is wider than the screen`).toBeLessThanOrEqual(0);
    }
  }
  expect(found).toEqual([]);
});

test('UI-365 the veil of a drag names the request that the files are for, and the page stays readable below it', async ({
  app,
  api,
  page,
}) => {
  await api.requestAlbum(SHORT_WAVES.id);
  await app.fulfil(SHORT_WAVES.title);
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.flac'));
    window.dispatchEvent(new DragEvent('dragenter', { dataTransfer, cancelable: true, bubbles: true }));
  });
  await expect(page.getByText(`Drop to take in for the request “${SHORT_WAVES.title}”`)).toBeVisible();
  const ground = await page.locator('.overlay .frame').evaluate((frame) => getComputedStyle(frame).backgroundColor);
  expect(Number(/(?:,|\/) *([\d.]+)\)$/.exec(ground)?.[1] ?? 1)).toBeLessThan(0.6);
  await page.screenshot({ path: test.info().outputPath('veil.png') });
});

/** Bytes of scripts, unpacked: a first page has 260 kB before a file can be dropped, and 150 kB of what is stored after it. */
const FIRST_SCRIPTS = 320_000;

test('UI-395 what is stored is asked for once a file can be dropped; UI-369 with many lanes in use More and Settings stay in sight at 390 pixels', async ({
  app,
  page,
}) => {
  void app;
  await page.addInitScript(noteDropZone);
  await page.goto(new URL('/', page.url()).href);
  await expect(page.getByText('Nothing is under way.')).toBeVisible();
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .flatMap((entry) => (entry instanceof PerformanceResourceTiming && entry.name.endsWith('.js') ? [entry] : []))
      .map(({ startTime, decodedBodySize }) => ({ at: performance.timeOrigin + startTime, bytes: decodedBodySize })),
  );
  const drawn = await page.evaluate(() => Reflect.get(globalThis, 'dropZoneAt') as number);
  const before = scripts.filter(({ at }) => at < drawn).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(before).toBeGreaterThan(100_000);
  expect(before).toBeLessThan(FIRST_SCRIPTS);

  await page.setViewportSize({ width: 390, height: 844 });
  const rail = page.getByRole('navigation', { name: 'Places' });
  for (const path of ['video', 'library', 'documents']) {
    await page.goto(new URL(`/${path}`, page.url()).href);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await page.goto(new URL('/', page.url()).href);
  for (const last of [rail.getByRole('button', { name: 'More' }), rail.getByRole('link', { name: 'Settings' })])
    await expect(last).toBeInViewport({ ratio: 0.9 });
  await rail.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('rail.png') });
});
