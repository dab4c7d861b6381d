/** What people do, in the browsers that no other test drives. */
import { NINE_CRATES, SHORT_WAVES, WEIR, type MadeUpAlbum } from '../e2e/catalog.ts';
import { albumFiles, namesOf, zipOf } from '../e2e/support/album-files.ts';
import { checkExport, FAULTY_GUIDE } from '../e2e/support/faulty-guide.ts';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { crossrefWork } from '../fixtures/metadata-server.ts';
import { enginesOfBuild, fromTest } from '../e2e/support/engines-in-page.ts';
import { escapesFrom } from '../e2e/support/escapes-in-page.ts';
import { SHORT_ENDLESS, wrongEnds, type Ended } from '../fixtures/toolbox/endless.ts';
import { zipTexts } from '../fixtures/zip-texts.ts';
import type { Station } from './support/station.ts';
import { pageOf } from './support/tab.ts';
import { expect, test } from './support/test.ts';

/** Only the first so many tracks of it. */
const part = (album: MadeUpAlbum, from: number, to: number): MadeUpAlbum => ({
  ...album,
  tracks: album.tracks.slice(from, to),
});

test('UI-135 neither a first visit nor a return shows a new version where there is none', async ({ station }) => {
  const { tab } = station;
  await station.waitForOfflineStart();
  expect(await station.text()).not.toContain('new version');
  await tab.reload();
  await station.settled();
  expect(await station.text()).not.toContain('new version');
});

test('an album goes from its drop into the catalog', async ({ station, api }) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'flac', tagged: true });
  await station.addFiles([await zipOf('short_waves.zip', files)]);
  await station.published(namesOf(files));
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(SHORT_WAVES.tracks.length);
});

test('JOB-59 Try it asks its question, and the answer publishes all of it', async ({ station, api }) => {
  await api.importCatalog(DEMO);
  const request = await api.requestAlbum(DEMO_ALBUM);
  await station.press({ kind: 'button', name: 'Try it' });
  await station.reach(['untitled.wav'], 'AWAITING_REVIEW');
  await station.press({ kind: 'button', name: 'Far Side', within: 'Review queue' });
  await station.published(DEMO_FILES);
  expect(await api.available(DEMO_ALBUM)).toHaveLength(4);
  expect(await api.requestStatus(request)).toBe('fulfilled');
});

test('a reload in the middle of the work loses nothing and does nothing twice', async ({ station, api }) => {
  const files = [
    ...(await albumFiles(part(WEIR, 0, 4), { format: 'flac', tagged: true })),
    ...(await albumFiles(part(WEIR, 8, 9), { format: 'mp3', tagged: true })),
  ];
  await station.addFiles(files);
  const begun = async (): Promise<boolean> => {
    const rows = await station.rows().catch(() => []);
    return rows.some(({ name, status }) => name === files[0]?.name && /CONVERTING|COMPLETED/.test(status));
  };
  await expect.poll(begun, { message: 'conversion has begun', timeout: 300_000 }).toBe(true);
  await station.tab.reload();
  await station.published(namesOf(files));
  expect(await api.available(WEIR.id)).toHaveLength(files.length);
});

test('the app starts without its server, works on, and publishes when it is back', async ({ station, api, server }) => {
  const files = await albumFiles(part(NINE_CRATES, 0, 2), { format: 'flac', tagged: true });
  await station.waitForOfflineStart();
  await server.stop();
  await station.tab.reload();
  await station.says('Server not reachable');
  expect(await station.text()).not.toContain('Connected');
  await station.addFiles(files);
  await station.reach(namesOf(files), 'CONVERTING', 'waiting');
  await station.tab.reload();
  await station.says('2 results wait');
  await server.start();
  await station.published(namesOf(files));
  expect(await api.available(NINE_CRATES.id)).toEqual(expect.arrayContaining(['nine-crates-01', 'nine-crates-02']));
});

test('two tabs show the same, and the second works on when the first is closed', async ({ station, api }) => {
  const files = await albumFiles(part(NINE_CRATES, 4, 6), { format: 'flac', tagged: true });
  const first = await station.openTab();
  await station.go('/', first);
  await station.waitsForItsTurn();
  // It is behind the other from now on.
  await station.tab.reload();
  await station.settled();
  await station.waitsForItsTurn();
  await station.addFiles(files.slice(0, 1));
  await station.published(namesOf(files.slice(0, 1)));
  await station.published(namesOf(files.slice(0, 1)), first);
  await first.close();
  await station.addFiles(files.slice(1));
  await station.published(namesOf(files.slice(1)));
  expect(await api.available(NINE_CRATES.id)).toEqual(expect.arrayContaining(['nine-crates-05', 'nine-crates-06']));
});

test('JOB-37 after full loads, Back and Forward the page still works on what is dropped', async ({ station, api }) => {
  const files = await albumFiles(part(NINE_CRATES, 6, 8), { format: 'flac', tagged: true });
  await station.go('/settings');
  await station.shows({ kind: 'region', name: 'Appearance' });
  await station.go('/history');
  await station.shows({ kind: 'region', name: 'Finished files' });
  await station.tab.back();
  await station.settled();
  await station.shows({ kind: 'region', name: 'Appearance' });
  await station.tab.back();
  await station.settled();
  await station.addFiles(files.slice(0, 1));
  await station.published(namesOf(files.slice(0, 1)));
  await station.tab.forward();
  await station.settled();
  await station.shows({ kind: 'region', name: 'Appearance' });
  await station.tab.back();
  await station.settled();
  await station.addFiles(files.slice(1));
  await station.published(namesOf(files.slice(1)));
  expect(await api.available(NINE_CRATES.id)).toEqual(expect.arrayContaining(['nine-crates-07', 'nine-crates-08']));
});

test('GUIDE-174 without its server a faulty guide is dropped, mended, taken back byte for byte, mended again and exported', async ({
  station,
  server,
}) => {
  const { tab } = station;
  await station.waitForOfflineStart();
  await station.go('/guide/health');
  await server.stop();
  await station.addFiles([{ name: 'faulty.xml', bytes: Buffer.from(FAULTY_GUIDE) }], tab, 'Choose files');
  await station.says('3 of 4 programmes lack something');
  const exported = async (): Promise<string> => {
    await tab.run(keepNextDownload);
    await station.press({ kind: 'button', name: 'Export' });
    await station.press({ kind: 'button', name: 'XMLTV (.xml)' });
    await station.until(() => 'saved' in window, [], true, { what: 'the guide is exported' });
    await tab.pressEscape();
    return tab.run(async () => (window as unknown as { saved: Blob }).saved.text());
  };
  const before = await exported();
  await station.press({ kind: 'button', name: 'Switch it on' });
  await station.until(lookAt, ['one'], true, { what: 'a channel can be chosen' });
  await station.says('2 of 3 programmes lack something');
  await station.press({ kind: 'button', name: 'Run' });
  await station.says('None of 3 programmes lacks anything');
  expect(await exported()).toContain('<date>1987</date>');
  await station.press({ kind: 'link', name: 'Runs' });
  await station.press({ kind: 'button', name: 'Undo the run' });
  await station.says('2 taken back');
  expect(await exported()).toBe(before);
  await station.press({ kind: 'link', name: 'Health' });
  await station.says('3 of 4 programmes lack something');
  await station.until(lookAt, ['two'], true, { what: 'a channel can be chosen' });
  await station.says('1 of 1 programme lacks something');
  await station.press({ kind: 'button', name: 'Run' });
  await station.says('None of 1 programme lacks anything');
  const mended = await exported();
  expect(mended).toContain('<date>1990</date>');
  expect(await checkExport(mended)).toHaveLength(2);
  await server.start();
});

const [WRONG, RIGHT] = ['10.5555/wrong', '10.5555/river.2'];

/** A paper that names another one is dropped, its DOI is corrected, and it is read at its evidence. */
async function correctedPaper(station: Station): Promise<void> {
  const { tab } = station;
  const line = { text: `https://doi.org/${WRONG}`, x: 72, y: 760 };
  const bytes = Buffer.from(makePdf([[line, ...column(72, 650, ['Tracing the banks', 'We measured it twice.'])]]));
  await station.go('/documents');
  // What Crossref said of both before: no test asks it.
  const said = [
    [`api.crossref.org doi ${WRONG}`, crossrefWork(WRONG, { title: ['Baking bread'] })],
    [`api.crossref.org doi ${RIGHT}`, crossrefWork(RIGHT, { title: ['Tracing the banks'] })],
  ];
  await tab.run(keepAnswers, said, Date.now());
  await station.addFiles([{ name: 'b.pdf', bytes }], tab, 'Add documents');
  await station.until(foundOrAskedFor, ['Baking bread'], true, { what: 'it is looked up' });
  await tab.run(() => (document.getElementById('document-b.pdf')?.click(), null));
  await station.press({ kind: 'button', name: 'DAnother DOI' });
  await station.until(fillIn, ['Its DOI', `https://doi.org/${RIGHT}`], true, { what: 'a DOI can be given' });
  await station.press({ kind: 'button', name: 'Look up' });
  await station.says('Strong');
  await station.press({ kind: 'button', name: 'OOpen' });
  await station.until(readsOutlined, ['Tracing the banks'], true, { what: 'the reader is at the evidence' });
  await station.press({ kind: 'button', name: 'Close the reader' });
}

/** Its record is imported from a manifest, and cited. */
async function citedPaper(station: Station, manifest: string): Promise<void> {
  await station.go('/documents/listings');
  await station.until(fillIn, ['Listings', manifest], true, { what: 'there is a field' });
  await station.press({ kind: 'button', name: 'Run import' });
  await station.tab.run(() => (document.querySelectorAll('summary').forEach((one) => one.click()), null));
  await station.until(fillIn, ['Text', `So it is [@{doi:${RIGHT}}, p. 4].`], true, { what: 'a text can be given' });
  await station.press({ kind: 'button', name: 'Cite' });
  await station.says('Works cited');
  await station.says('(Garcia, 2019, p. 4)');
}

const MANIFEST = JSON.stringify({
  version: 1,
  entries: [
    {
      ...{ id: 'a'.repeat(64), filename: 'tracing_the_banks_2019.pdf', title: 'Tracing the banks', doi: RIGHT },
      ...{ authors: ['Ana Garcia'], publication: 'River Research', date: '2019', year: 2019, isbn: '', pdf_url: '' },
      ...{ source_url: '', processed: true, retrieved_at: '2026-01-01T00:00:00.000Z', notes: '', tags: [] },
    },
  ],
});

test('DOCUMENT-137 a paper that names another one is dropped, its DOI is corrected, it is read at its evidence, and what a manifest has of it is cited', async ({
  station,
}) => {
  await correctedPaper(station);
  await citedPaper(station, MANIFEST);
});

test('DOCUMENT-105 a paper that names another one is dropped, its DOI is corrected, it is read at its evidence, comes back as a ZIP, and is cited', async ({
  station,
}) => {
  const { tab } = station;
  await correctedPaper(station);
  await tab.run(keepNextDownload);
  await station.press({ kind: 'button', name: 'Write 1' });
  await station.says('1 document and the manifest are in documents.zip');
  const files = await zipTexts(Buffer.from(await tab.run(savedBytes), 'base64'));
  expect([...files.keys()].toSorted()).toEqual(['manifest.json', 'tracing_the_banks_2019.pdf']);
  await citedPaper(station, files.get('manifest.json') ?? '');
});

test('TOOLBOX-79 a tool is fetched at its first use and computes in the cage', async ({ station }) => {
  await station.go('/tools/cas');
  await station.press({ kind: 'button', name: 'Fill in the example' });
  await station.until(pressRun, [], true, { what: 'the tool is run' });
  await station.says('compute-engine', station.tab, 120_000);
});

/** A tool of each engine, with what its answer says of the engine. */
const OF_EACH = [
  ['stat_t_test', 'webr'],
  ['python_run', 'pyodide'],
  ['cas', 'compute-engine'],
  ['frame_query', 'DuckDB'],
  ['mine_classify', 'ml-cart'],
  ['plot', 'vega'],
  ['spice', 'ngspice'],
] as const;

test('TOOLBOX-92 each engine computes in the cage', async ({ station }) => {
  const said: string[] = [];
  for (const [tool, engine] of OF_EACH) {
    await station.go(`/tools/${tool}`);
    await station.press({ kind: 'button', name: 'Fill in the example' });
    await station.tab.run(agreeToCode);
    await station.until(pressRun, [], true, { what: `${tool} is run` });
    await expect.poll(() => station.tab.run(whatItSaid), { message: tool, timeout: 300_000 }).not.toBe('');
    const answer = await station.tab.run(whatItSaid);
    said.push(`${tool}: ${answer.includes(engine) ? engine : answer}`);
  }
  expect(said).toEqual(OF_EACH.map(([tool, engine]) => `${tool}: ${engine}`));
});

test('TOOLBOX-96 nothing that runs in the cage reaches network, storage, other workers or the page', async ({
  station,
}) => {
  const { tried, through } = await escapesFrom(pageOf(station.tab));
  expect(through).toEqual([]);
  expect(tried).toBeGreaterThan(40);
});

test('TOOLBOX-97 loops, memory and answers without end end at their bound, and the next call works', async ({
  station,
}) => {
  const whats = SHORT_ENDLESS.map(({ what }) => what);
  const ended = await fromTest<Ended[]>(pageOf(station.tab), 'endsInPage', enginesOfBuild(), whats);
  expect(ended).toHaveLength(SHORT_ENDLESS.length);
  expect(wrongEnds(ended, SHORT_ENDLESS)).toEqual([]);
});

/** Runs in the page: where it is code, the person has read it. */
function agreeToCode(): null {
  for (const box of document.querySelectorAll<HTMLInputElement>('form input[type=checkbox]'))
    if (/have read this code/.test(box.labels?.[0]?.textContent ?? '') && !box.checked) box.click();
  return null;
}

/** Runs in the page: the line on where an answer comes from, or what is wrong; '' while it computes. */
function whatItSaid(): string {
  const wrong = document.querySelector('main [role=alert], main .error')?.textContent ?? '';
  if (document.querySelector('#tool-result') === null) return wrong.trim();
  // Of the form there is another one, where a download was begun.
  const lines = document.querySelectorAll('section[aria-labelledby=tool-result] p');
  return [...lines].find((one) => /on this device/.test(one.textContent))?.textContent ?? '';
}

/** Runs in the page. */
async function keepAnswers(answers: readonly (readonly string[])[], at: number): Promise<null> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('accession');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error('the database cannot be opened'));
  });
  const writing = database.transaction('document_answers', 'readwrite');
  for (const [key, body] of answers)
    writing.objectStore('document_answers').put({ key, status: 200, headers: {}, body, at });
  await new Promise((resolve) => (writing.oncomplete = resolve));
  database.close();
  return null;
}

/** Runs in the page: false where there is no such field yet. */
function fillIn(label: string, value: string): boolean {
  for (const one of document.querySelectorAll('label')) {
    const field = one.control;
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (!isField || (one.textContent ?? '').trim() !== label) continue;
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return true;
  }
  return false;
}

/** Runs in the page: says yes where it is asked whether records may be looked up; true once the words are there. */
function foundOrAskedFor(words: string): boolean {
  if (document.querySelector('main')?.textContent?.includes(words)) return true;
  [...document.querySelectorAll('button')].find((one) => one.innerText.trim() === 'Look up')?.click();
  return false;
}

/** Runs in the page: its name says how much it fetches. */
function pressRun(): boolean {
  const run = [...document.querySelectorAll('button')].find((one) =>
    /^(Run|Fetch .* and run)$/.test(one.innerText.trim()),
  );
  if (run === undefined || run.disabled) return false;
  run.click();
  return true;
}

/** Runs in the page. */
function readsOutlined(words: string): boolean {
  const text = document.querySelector('dialog .text, [role=dialog] .text')?.textContent ?? '';
  return document.querySelector('.outline') !== null && text.includes(words);
}

/** Runs in the page. */
async function savedBytes(): Promise<string> {
  const bytes = new Uint8Array(await (window as unknown as { saved: Blob }).saved.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Runs in the page. */
function keepNextDownload(): null {
  const keeps = window as unknown as { saved?: Blob };
  delete keeps.saved;
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    keeps.saved = blob as Blob;
    URL.createObjectURL = make;
    return make(blob);
  };
  return null;
}

/** Runs in the page: chooses the channel, where it can be chosen yet. */
function lookAt(channel: string): boolean {
  const value = `c${channel}`;
  const select = [...document.querySelectorAll('select')].find((one) =>
    [...one.options].some((o) => o.value === value),
  );
  if (select === undefined) return false;
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

/** The demo's smaller request, with lengths of a test: *Try it* takes the name from its third file. */
const DEMO_ALBUM = 'al_demo';
const DEMO = {
  artists: [{ id: 'ar_demo', name: 'The Test Pressings' }],
  albums: [{ id: DEMO_ALBUM, title: 'Four Sides', artist_id: 'ar_demo', artist: 'The Test Pressings', year: 1964 }],
  tracks: ['Opening Side', 'Flip Side', 'Far Side', 'Closing Side'].map((title, at) => ({
    id: `tr_long-tall-sally_1-0${at + 1}`,
    album_id: DEMO_ALBUM,
    title,
    artist_id: 'ar_demo',
    artist: 'The Test Pressings',
    disc: 1,
    position: at + 1,
    duration_ms: 21_000 + at * 4_000,
  })),
};
const DEMO_FILES = ['01 - Opening Side.wav', '02 - Flip Side.wav', 'untitled.wav', '04 - Closing Side.wav'];
