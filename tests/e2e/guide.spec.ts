import { readFile } from 'node:fs/promises';
import { axeFindings } from './support/axe.ts';
import { checkExport, FAULTY_GUIDE } from './support/faulty-guide.ts';
import { inPalette } from './support/places.ts';
import { expect, test } from './support/test.ts';

test('UI-180, UI-181, UI-182, GUIDE-174 offline a faulty guide is dropped, mended, taken back byte for byte, mended again and exported', async ({
  page,
  context,
  server,
}) => {
  await page.goto(server.signInLink);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await page.goto(`${server.origin}/guide/health`);
  await expect(page.getByText('Drop a guide here')).toBeVisible();
  await context.setOffline(true);
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'faulty.xml', mimeType: 'application/xml', buffer: Buffer.from(FAULTY_GUIDE) });
  await expect(page.getByRole('heading', { name: '3 of 4 programmes lack something' })).toBeVisible();
  const lookAt = (channel: string): Promise<unknown> => page.getByLabel('Look at').selectOption({ label: channel });
  await lookAt('Channel One (one)');
  await expect(page.getByRole('heading', { name: '2 of 3 programmes lack something' })).toBeVisible();

  const exported = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'XMLTV (.xml)' }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    return text;
  };
  const before = await exported();

  await page.getByRole('button', { name: 'Film without a year 1' }).click();
  await expect(page.getByText('It is a film without a year.')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Switch it on' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'None of 3 programmes lacks anything' })).toBeVisible();
  expect(await exported()).toContain('<date>1987</date>');

  await page.getByRole('link', { name: 'Runs' }).click();
  await page.getByText('1 step').click();
  await expect(page.getByText('the title ends with it')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo the run' }).click();
  await expect(page.getByText('taken back').first()).toBeVisible();
  expect(await exported()).toBe(before);

  await page.getByRole('link', { name: 'Channels', exact: true }).click();
  await page.getByRole('button', { name: 'New channel' }).click();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Health' }).click();
  await lookAt('Channel One (one)');
  await expect(page.getByText(/Again in \d:\d\d/)).toBeVisible();
  await page.getByLabel('Ask about the guide').last().fill('Where are the years of the guide?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByText(/No run began\. .*Again in/)).toBeVisible();
  await page.getByRole('button', { name: 'No episode number 1' }).click();
  await page.getByRole('button', { name: 'All are as they should be' }).click();
  await expect(page.getByRole('heading', { name: '1 of 3 programmes lacks something' })).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(page.getByRole('heading', { name: '2 of 3 programmes lack something' })).toBeVisible();
  await lookAt('Channel Two (two)');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'None of 1 programme lacks anything' })).toBeVisible();
  const mended = await exported();
  expect(mended).toContain('<date>1990</date>');
  // What was taken back is open again; nothing else is wrong with what is written.
  expect(await checkExport(mended)).toEqual([
    'one@20260310100000 +0000 EPISODE_NUM_MISSING',
    'one@20260310120000 +0000 MOVIE_YEAR_MISSING',
  ]);

  // UI-293: the palette finds channels.
  await (await inPalette(page, 'channel two', /^Channel Two/)).click();
  await expect(page.getByRole('combobox').first()).toHaveValue('ctwo');
  await page.getByRole('link', { name: 'Grid' }).click();
  const cell = page.getByRole('gridcell', { name: /Night Ferry/ }).getByRole('button');
  await page
    .getByRole('gridcell', { name: /Harbour/ })
    .getByRole('button')
    .focus();
  await page.keyboard.press('ArrowRight');
  await expect(cell).toBeFocused();
  await page.evaluate(() => (document.documentElement.dir = 'rtl'));
  await page.keyboard.press('ArrowRight');
  await expect(cell).not.toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(cell).toBeFocused();
  await page.evaluate(() => document.documentElement.removeAttribute('dir'));
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Say what is right' }).selectOption('date');
  await page.getByLabel('Value').fill('1986');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(page.getByText('a person said so')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  expect(await exported()).toContain('<date>1986</date>');
});
