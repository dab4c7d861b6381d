import { axeFindings } from './support/axe.ts';
import { FAULTY_GUIDE } from './support/faulty-guide.ts';
import { makeAudio } from '../fixtures/audio.ts';
import { SHORT_WAVES } from './catalog.ts';
import { CONVERSION_MS } from './support/app.ts';
import { inPalette, openPlace } from './support/places.ts';
import { expect, ONLINE, test } from './support/test.ts';

const BIRDS = `playbook: 1
steps:
  - name: tell
    model: small
    instruction_user_prompt: 'Tell of the owl.'
    output: told.json
`;

test('UI-293 Try it takes a generated ZIP for a pending request through the whole path, and the palette finds its tracks, its files, settings and keys', async ({
  app,
  api,
  page,
}) => {
  const request = await api.requestAlbum(SHORT_WAVES.id);
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect.poll(() => api.requestStatus(request), { timeout: CONVERSION_MS }).toBe('fulfilled');
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);
  await expect(app.region('History').locator('[data-sync="published"]')).toHaveCount(4);

  // Typed before the palette is there.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark theme');
  await expect(page.getByRole('combobox', { name: 'Find' })).toHaveValue('dark theme');
  await page.keyboard.press('Escape');
  const [track] = SHORT_WAVES.tracks;
  const title = track?.title ?? '';
  await expect(await inPalette(page, title, new RegExp(`^${title}.*${SHORT_WAVES.title}`))).toBeVisible();
  await page.getByRole('option').filter({ hasText: SHORT_WAVES.title }).first().click();
  await expect(page.getByRole('heading', { name: SHORT_WAVES.title })).toBeVisible();
  await (await inPalette(page, title, /\.(flac|wav|ogg|mp3)/)).first().click();
  await expect(page).toHaveURL(/\/jobs\//);
  await (await inPalette(page, 'dark theme', 'Appearance')).click();
  await expect(page).toHaveURL(/settings#appearance$/);
  await (await inPalette(page, 'skip question', /^Skip this question/)).click();
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

test.describe('a first page over a slow line', () => {
  test.use(ONLINE);
  test('UI-260 UI-268 files can be dropped when one script is there, and are taken in once the rest has come', async ({
    api,
    page,
    server,
  }) => {
    void api;
    const html = await (await page.request.get(server.origin)).text();
    const first = new Set(html.match(/chunks\/[\w-]+\.js/g));
    expect(first.size).toBeLessThanOrEqual(3);
    const rest = Promise.withResolvers<undefined>();
    const held: string[] = [];
    await page.route('**/chunks/*.js', async (route) => {
      const name = /chunks\/[\w-]+\.js/.exec(route.request().url())?.[0] ?? '';
      if (!first.has(name)) {
        held.push(name);
        await rest.promise;
      }
      await route.continue();
    });
    await page.goto(server.signInLink);
    const bytes = await makeAudio({ format: 'flac', seconds: 2, seed: 1 });
    await page
      .getByLabel('Add files', { exact: true })
      .setInputFiles({ name: 'early.flac', mimeType: 'audio/flac', buffer: Buffer.from(bytes) });
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await expect(page.getByRole('region', { name: 'Active jobs' })).toContainText('Reading in what you dropped');
    await expect(page.getByText('Nothing is under way')).toHaveCount(0);
    rest.resolve(undefined);
    await expect(page.getByRole('listitem', { name: 'early.flac' }).first()).toBeVisible({ timeout: CONVERSION_MS });
  });

  test('UI-294, UI-292, UI-330, UI-331 a mixed drop is one batch: sound is taken in, a guide and a playbook go to their lanes, notes to the Library, and each can be sent elsewhere', async ({
    app,
    page,
  }) => {
    const text = (content: string) => new TextEncoder().encode(content);
    await app.addFiles([
      { name: 'song.flac', bytes: new Uint8Array(await makeAudio({ format: 'flac', seconds: 2, seed: 2 })) },
      { name: 'epg.xml', bytes: text(FAULTY_GUIDE) },
      { name: 'birds.yaml', bytes: text(BIRDS) },
    ]);
    await expect(page.getByText('“epg.xml” went to Guide.')).toBeVisible();
    await expect(page.getByText('“birds.yaml” went to Playbooks.')).toBeVisible();
    await expect(app.jobRow('song.flac').first()).toBeVisible();
    const rail = page.getByRole('navigation', { name: 'Places' });
    await expect(rail.getByRole('link')).toHaveText([
      /Ingest/,
      /Review/,
      'History',
      'Catalog',
      'Guide',
      'Playbooks',
      'Settings',
    ]);

    await app.addFiles([{ name: 'notes.md', bytes: text('# The weir\n\nAda Quist dug it.\n') }]);
    await expect(page.getByText('“notes.md” went to Library.')).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Send “birds.yaml” elsewhere' }).selectOption('to Library');
    await expect(page.getByText('“birds.yaml” went to Library.')).toBeVisible();
    // The lines outlast a reload; without the files, what went can only be taken out.
    await page.reload();
    await expect(page.getByText('“epg.xml” went to Guide.')).toBeVisible();
    await expect(page.getByText('“birds.yaml” went to Library.')).toBeVisible();
    const notes = page.getByRole('combobox', { name: 'Send “notes.md” elsewhere' });
    await expect(notes.getByRole('option')).toHaveText(['Change', 'leave out']);
    await notes.selectOption('leave out');
    await expect(notes).toHaveCount(0);
    await page.locator('main a[href*="/batches/"]').first().click();
    await page.getByText('that came along').first().click();
    await expect(page.getByRole('listitem').filter({ hasText: /^birds\.yaml/ })).toContainText('sent to Library');
    await expect(page.getByText('sent to Playbooks')).toHaveCount(0);
    // Its name says how many are active.
    await page.getByRole('link', { name: 'Ingest' }).first().click();
    await page.getByRole('link', { name: 'Open Library' }).click();
    await expect(page.getByRole('link', { name: 'birds.yaml', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'notes.md', exact: true })).toHaveCount(0);
    await openPlace(page, 'Playbooks');
    await expect(page.getByRole('button', { name: 'New playbook' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'birds' })).toHaveCount(0);
  });

  test('UI-333, UI-334, UI-345, UI-335 a lane is taken out of the rail and comes back, the end of a drop is told by the system, and counted', async ({
    app,
    page,
  }) => {
    await page.evaluate(() => {
      const told: string[] = [];
      class Told extends EventTarget {
        static readonly permission = 'granted';
        static requestPermission = () => Promise.resolve(Reflect.get(window, 'answer') as string);
        constructor(title: string, { body }: { body: string }) {
          super();
          told.push(`${title}: ${body}`);
        }
      }
      Object.assign(window, { Notification: Told, told, answer: 'denied' });
      document.hasFocus = () => false;
    });
    const rail = page.getByRole('navigation', { name: 'Places' });
    await openPlace(page, 'Guide');
    await expect(rail.getByRole('link', { name: 'Guide' })).toBeVisible();
    await openPlace(page, 'Settings');
    await page.getByRole('checkbox', { name: 'Guide', exact: true }).uncheck();
    await expect(rail.getByRole('link', { name: 'Guide' })).toHaveCount(0);
    const wish = page.getByRole('checkbox', { name: 'Tell me when a drop has ended' });
    await wish.click();
    await expect(page.getByText('This browser does not let the page notify you.')).toBeVisible();
    await expect(wish).not.toBeChecked();
    await page.evaluate(() => Object.assign(window, { answer: 'granted' }));
    await wish.check();
    expect(await axeFindings(page)).toEqual([]);
    await openPlace(page, 'Ingest');
    await app.addFiles([{ name: 'broken.flac', bytes: new TextEncoder().encode('no sound at all') }]);
    await expect(app.jobRow('broken.flac')).toHaveAttribute('data-status', 'FAILED');
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'told') as unknown))
      .toEqual(['broken.flac: 1 file: 1 failed']);
    await openPlace(page, 'Guide');
    await expect(rail.getByRole('link', { name: 'Guide' })).toBeVisible();
    await openPlace(page, 'History');
    await page.getByRole('link', { name: 'Statistics' }).click();
    await expect(page.getByRole('region', { name: 'What came in' }).getByRole('row')).toContainText([
      /Day/,
      /1 failed/,
    ]);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('UI-336, UI-340, UI-344 a request is withdrawn and asked for again, tracks are removed and come back as one', async ({
    app,
    api,
    page,
  }) => {
    void app;
    const request = await api.requestAlbum(SHORT_WAVES.id);
    await openPlace(page, 'Catalog');
    await page.getByRole('link', { name: 'Requests' }).click();
    const row = page.getByRole('row').filter({ hasText: SHORT_WAVES.title });
    await expect(row).toContainText('Waiting');
    expect(await axeFindings(page)).toEqual([]);
    await row.getByRole('button', { name: /^Withdraw the request/ }).click();
    await expect(row).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(row).toContainText('Waiting');
    expect(request).not.toBe('');

    await row.getByRole('link', { name: SHORT_WAVES.title }).click();
    const [first, second] = SHORT_WAVES.tracks;
    const title = first?.title ?? '';
    const also = second?.title ?? '';
    const tracks = page.getByRole('main').getByRole('listitem');
    await expect(tracks).toHaveCount(4);
    await page.getByRole('button', { name: 'Rearrange...' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: title }).check();
    await expect(dialog.getByRole('button', { name: `Remove “${title}”` })).toBeVisible();
    await dialog.getByRole('checkbox', { name: also }).check();
    // What is chosen is what is in sight.
    const words = dialog.getByRole('searchbox', { name: 'Another album' });
    await words.fill('long waves');
    await dialog.getByRole('radio', { name: /^Long Waves/ }).check();
    await expect(dialog.getByRole('button', { name: 'Move 2 tracks to “Long Waves”' })).toBeVisible();
    await words.fill('nobody has this');
    await expect(dialog.getByText('No other album is like “nobody has this”.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: /^Move|^Merge/ })).toHaveCount(0);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove 2 tracks' }).click();
    await expect(tracks).toHaveCount(2);
    await expect(tracks.filter({ hasText: title })).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await expect(tracks).toHaveCount(4);
    await expect(tracks.filter({ hasText: title })).toBeVisible();
  });

  test('UI-270 an address that leads nowhere says so, and the way back', async ({ app, page }) => {
    void app;
    await page.goto(new URL('/catalog/albums/of/nobody', page.url()).href);
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
    await expect(page).toHaveTitle(/There is no such page/);
    await page.getByRole('main').getByRole('link', { name: 'Go to Ingest' }).click();
    await expect(page.getByRole('heading', { name: 'Ingest' })).toBeVisible();
  });
});
