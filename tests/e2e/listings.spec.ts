import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const XML = `<article><author>Ana Garcia; Ben Novak</author><title>Counting the river & its banks<doi>10.5555/river.1</doi>
<publisher>Journal of Tests</publisher><date>2019-05</date><pdf_link>https://example.org/river.pdf</pdf_link></article>
<book><author>Ursula Le Guin</author><title>A wizard of the weir</title><isbn>9780306406157</isbn><date>1968</date></book>`;

test('DOCUMENT-50 in a browser listings are imported, mended one by one, kept over a reload, and cited with the notice that citeproc asks for', async ({
  page,
  server,
}) => {
  await page.goto(server.signInLink);
  await page.goto(`${server.origin}/documents/listings`);
  await page.getByRole('textbox', { name: 'Listings' }).fill(XML);
  await page.getByRole('button', { name: 'Run import' }).click();
  const form = page.getByRole('form', { name: 'Listing 1 of 2' });
  await expect(form.getByLabel('Title', { exact: true })).toHaveValue('Counting the river & its banks');
  await form.getByLabel('DOI', { exact: true }).fill('the river');
  await expect(form.getByLabel('DOI', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await form.getByLabel('DOI', { exact: true }).fill('10.5555/river.1');
  await form.getByLabel('Date', { exact: true }).fill('2020');
  await form.getByRole('button', { name: 'Complete' }).click();
  await expect(page.getByRole('form', { name: 'Listing 2 of 2' }).getByText('@{isbn:9780306406157}')).toBeVisible();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(form.locator('.badge')).toHaveText('Complete');

  await page.reload();
  await page.getByText('Cite these in a text').click();
  await page
    .getByLabel('Text', { exact: true })
    .fill('It rose [@{doi:10.5555/river.1}, p. 4] and fell [@{doi:10.5555/none}].');
  await page.getByRole('button', { name: 'Cite', exact: true }).click();
  await expect(page.getByText('It rose (Garcia & Novak, 2020, p. 4) and fell')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Counting the river & its banks' })).toBeVisible();
  await expect(page.getByText(/No listing has .*10\.5555\/none/)).toBeVisible();
  await expect(page.getByText('Citations by CSL (citeproc-js)')).toBeVisible();
});
