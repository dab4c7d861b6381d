import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { startModelServer } from '../fixtures/model-server.ts';
import { axeFindings } from './support/axe.ts';
import { CHROMIUM_ARGS } from './support/chromium-args.ts';
import { openPlace } from './support/places.ts';
import { makePlaybook, useOllama } from './support/playbook-page.ts';
import { expect, ONLINE, test } from './support/test.ts';

const BOOK = `playbook: 1
steps:
  - name: tell
    model: small
    input: birds.json
    multiple_parts: true
    instruction_user_prompt: 'Tell of the {this}.'
    output: told.json
    output_format: { bird: '{this}', said: '{output}' }
`;
const BIRDS = ['owl', 'wren', 'tern', 'gull', 'lark', 'rook'];
/** Characters of an answer: two of them fill what is left. */
const LONG = 600_000;
/** Bytes that are left. */
const ROOM = 3 * 1024 * 1024;

/** What the browser's database cannot pack. */
const noise = (): string => randomBytes(LONG / 2).toString('hex');

test('PLAYBOOK-91 a run for which the browser has no space left pauses with the reason and what to free, and with space is finished with nothing asked twice', async ({
  server,
}) => {
  const profile = await mkdtemp(join(tmpdir(), 'accession-space-'));
  const model = await startModelServer({
    ...{ cors: server.origin, models: ['m'] },
    reply: ({ messages }) => ({ content: `${messages.at(-1)?.content ?? ''} ${noise()}` }),
  });
  // A profile on the disk: a private window counts its space otherwise.
  const open = () =>
    chromium.launchPersistentContext(profile, {
      executablePath: process.env['ACCESSION_BROWSER'] ?? chromium.executablePath(),
      // What the service worker fetches beside it would take the space that is counted here.
      ...ONLINE,
      args: [...CHROMIUM_ARGS],
      locale: 'en-GB',
    });
  let context = await open();
  try {
    let page = await context.newPage();
    await page.goto(server.signInLink);
    await openPlace(page, 'Playbooks');
    await makePlaybook(page, BOOK, { 'birds.json': JSON.stringify(BIRDS) });
    await useOllama(page, model, 'm');
    await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
    const book = page.url();
    const used = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
    // A browser remembers for a while how much was left: the next one is told before it looks.
    await context.close();
    context = await open();
    page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Storage.overrideQuotaForOrigin', { origin: server.origin, quotaSize: used + ROOM });
    await page.goto(book);
    await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const said = page.getByText(/space/i).and(page.getByText('What was answered is kept.', { exact: false }));
    await expect(said).toBeVisible({ timeout: 180_000 });
    await expect(said).toContainText('Free');
    await expect(page.getByRole('status').getByText('paused', { exact: true })).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.screenshot({ path: test.info().outputPath(`full-${width}.png`), fullPage: true });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    const done = Number(/(\d+) of 6 done/.exec((await page.getByText(/\d+ of 6 done/).textContent()) ?? '')?.[1]);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(BIRDS.length);

    // Who comes back finds why, too.
    await page.reload();
    await expect(page.getByText('There was no space left.', { exact: false })).toBeVisible();

    await cdp.send('Storage.overrideQuotaForOrigin', { origin: server.origin });
    const before = model.requests.length;
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible({ timeout: 180_000 });
    await expect(page.getByText('6 of 6 done')).toBeVisible();
    expect(model.requests.slice(before).map(({ messages }) => messages.at(-1)?.content)).toEqual(
      BIRDS.slice(done).map((bird) => `Tell of the ${bird}.`),
    );
    await expect(page.getByRole('table', { name: 'Records of told.json' }).getByRole('row')).toHaveCount(7);
  } finally {
    await context.close();
    await model.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 20 });
  }
});
