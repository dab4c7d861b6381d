import { readFile } from 'node:fs/promises';
import { axeFindings } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const pad = (hour: number): string => String(hour).padStart(2, '0');
const programme = (hour: number, inside: string): string =>
  `<programme start="20260310${pad(hour)}0000 +0000" stop="20260310${pad(hour + 1)}0000 +0000" channel="one">${inside}</programme>`;
const GUIDE = `<?xml version="1.0"?><tv><channel id="one"><display-name>Channel One</display-name></channel>${[
  programme(10, '<title>Harbour</title><sub-title>S02E05</sub-title><category>Series</category>'),
  programme(12, '<title>Night Ferry (1987)</title><category>Film</category>'),
  programme(14, '<title>Fine</title><category>Series</category><episode-num system="xmltv_ns">0.0.</episode-num>'),
].join('')}</tv>`;

test('UI-180, UI-181 offline a faulty guide is dropped, mended, taken back byte for byte, mended again and exported', async ({
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
    .setInputFiles({ name: 'faulty.xml', mimeType: 'application/xml', buffer: Buffer.from(GUIDE) });
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
  await expect(page.getByText(/Again in \d:\d\d/)).toBeVisible();
  await page.getByLabel('Ask about the guide').last().fill('Where are the years of the guide?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByText(/No run began\. .*Again in/)).toBeVisible();
  await page.getByRole('button', { name: 'No episode number 1' }).click();
  await page.getByRole('button', { name: 'All are as they should be' }).click();
  await expect(page.getByRole('heading', { name: '1 of 3 programmes lack something' })).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(page.getByRole('heading', { name: '2 of 3 programmes lack something' })).toBeVisible();

  await page.getByRole('link', { name: 'Grid' }).click();
  const cell = page.getByRole('gridcell', { name: /Night Ferry/ }).getByRole('button');
  await page
    .getByRole('gridcell', { name: /Harbour/ })
    .getByRole('button')
    .focus();
  await page.keyboard.press('ArrowRight');
  await expect(cell).toBeFocused();
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
