import JSZip from 'jszip';
import { describe, expect, test } from 'vitest';
import { catalogServer } from '#adapters/browser/sync/catalog-server.ts';
import { failed } from '#core/errors.ts';
import type { DocumentsApi } from '#lanes/documents/browser/documents-api.types.ts';
import { TASK } from '#lanes/documents/core/plan/document-plan.ts';
import { endedWords } from '#lanes/documents/ui/page/ended-words.ts';
import { documentRoom as room, sha256, valueOf as value } from '../../fixtures/document-room.ts';
import { column, makePdf } from '../../fixtures/make-pdf.ts';
import { crossrefWork } from '../../fixtures/metadata-server.ts';

const unheard = (): void => undefined;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const paper = (doi: string, title: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    makePdf([
      [{ text: `https://doi.org/${doi}`, x: 72, y: 700 }, ...column(72, 650, [title, 'We measured it twice.'])],
    ]),
  );

async function confirmed(service: DocumentsApi, decided: Parameters<DocumentsApi['preview']>[0]['decided']) {
  const { hash } = value(await service.preview({ decided, rename: true }));
  return value(await service.apply(hash, unheard));
}

const RIVERS = '10.5555/river.1';
const BANKS = '10.5555/river.2';

test('DOCUMENT-40, DOCUMENT-42 what a person decides is done in the folder itself, stands in its manifest, and undo gives every byte, name and entry back', async () => {
  const files = {
    'a.pdf': paper(RIVERS, 'Counting the rivers'),
    'b.pdf': paper('10.5555/wrong', 'Tracing the banks'),
    'c.pdf': new Uint8Array(makePdf([column(72, 700, ['Nothing here'])])),
    'd.pdf': new Uint8Array(makePdf([column(72, 700, ['A leaflet'])])),
  };
  const it = room(files, { [RIVERS]: 'Counting the rivers', [BANKS]: 'Tracing the banks', '10.5555/wrong': 'Bread' });
  await it.open();
  expect([...it.rows.values()].map(({ path, phase, proposal }) => [path, phase, proposal.sure])).toEqual([
    ['a.pdf', 'ready', 'strong'],
    ['b.pdf', 'ready', 'unsure'],
    ['c.pdf', 'ready', 'unknown'],
    ['d.pdf', 'ready', 'unknown'],
  ]);
  expect(it.rows.get('a.pdf')?.evidence).toMatchObject([{ field: 'doi', page: 1, box: expect.any(Array) }]);

  const mended = value(await it.service.requery('b.pdf', { kind: 'doi', value: BANKS }, true));
  expect(mended.proposal).toMatchObject({ sure: 'strong', record: { title: 'Tracing the banks', doi: BANKS } });

  const before = it.hashes();
  const applied = await confirmed(it.service, [
    { path: 'a.pdf', action: 'write' },
    { path: 'b.pdf', action: 'write' },
    { path: 'c.pdf', action: 'skip' },
    { path: 'd.pdf', action: 'remove' },
  ]);
  expect(applied).toMatchObject({ as: 'folder', outcome: { result: 'done' }, unwritten: [] });
  const names = Object.keys(it.hashes()).toSorted();
  expect(names).toEqual([
    '.accession-trash/d.pdf',
    'c.pdf',
    'counting_the_rivers_2019.pdf',
    'manifest.json',
    'manifest.state.json',
    'tracing_the_banks_2019.pdf',
  ]);
  const written = it.folder.disk.files.get('tracing_the_banks_2019.pdf')?.bytes ?? new Uint8Array();
  expect(text(written).startsWith(text(files['b.pdf']))).toBe(true);
  const manifest = JSON.parse(it.folder.contents()['manifest.json'] ?? '') as { entries: object[]; renames: object[] };
  expect(manifest.entries).toMatchObject([
    { id: sha256(files['a.pdf']), filename: 'counting_the_rivers_2019.pdf', doi: RIVERS, processed: true },
    { id: sha256(files['b.pdf']), doi: BANKS, processed: true },
    { id: sha256(files['c.pdf']), filename: 'c.pdf', title: '', year: null, processed: false },
  ]);
  expect(manifest.renames).toHaveLength(2);

  const planId = applied.as === 'folder' ? applied.planId : '';
  expect((await it.db.document_plans.get(planId))?.status).toBe('completed');
  expect(value(await it.service.undo(planId, unheard))).toMatchObject({ result: 'undone' });
  const after = it.hashes();
  for (const [path, hash] of Object.entries(before)) expect(after[path]).toBe(hash);
  expect(JSON.parse(it.folder.contents()['manifest.json'] ?? '')).toMatchObject({ entries: [] });
  expect((await it.db.document_plans.get(planId))?.status).toBe('undone');
  await it.db.delete();
});

test('DOCUMENT-43 nobody is asked without a yes or without a network: what was answered before serves, else the document’s own word, marked so', async () => {
  const own = new Uint8Array(
    makePdf([[{ text: `https://doi.org/${BANKS}`, x: 72, y: 700 }]], {
      info: { Title: 'Banks', Author: 'Ana Garcia' },
    }),
  );
  const it = room({ 'a.pdf': paper(RIVERS, 'Counting the rivers'), 'b.pdf': own }, { [RIVERS]: 'Counting the rivers' });
  await it.open(false);
  expect(it.asked).toEqual([]);
  expect(it.rows.get('a.pdf')?.proposal).toMatchObject({ sure: 'unsure', record: null });
  const word = {
    sure: 'unsure',
    source: 'the document itself',
    record: { title: 'Banks', authors: ['Ana Garcia'], doi: BANKS },
  };
  expect(it.rows.get('b.pdf')?.proposal).toMatchObject(word);

  value(await it.service.lookUp(it.heard));
  expect(it.asked[0]).toContain('api.crossref.org');
  expect(it.rows.get('a.pdf')?.proposal.sure).toBe('strong');
  it.network.online = false;
  const times = it.asked.length;
  await it.open();
  expect(it.asked).toHaveLength(times);
  expect(it.rows.get('a.pdf')?.proposal).toMatchObject({ sure: 'strong', source: 'crossref' });
  await it.db.delete();
});

test('DOCUMENT-44, DOCUMENT-143 dropped files come back as a ZIP: written and named anew, without the removed ones, with the manifest, and into how many a record was written is said', async () => {
  const files = {
    'a.pdf': paper(RIVERS, 'Counting the rivers'),
    'b.pdf': paper(BANKS, 'Banks'),
    'c.pdf': paper(BANKS, 'C'),
  };
  const it = room({}, { [RIVERS]: 'Counting the rivers' });
  const dropped = Object.entries(files).map(([path, bytes]) => ({ path, file: new File([bytes], path) }));
  value(await it.service.open({ kind: 'files', files: dropped }, true, it.heard, unheard));
  const applied = await confirmed(it.service, [
    { path: 'a.pdf', action: 'write' },
    { path: 'c.pdf', action: 'remove' },
  ]);
  if (applied.as !== 'zip') throw new Error('no ZIP');
  expect(endedWords({ kind: 'applied', applied })).toMatchObject({
    title: '2 documents and the manifest are in documents.zip',
    sentences: ['A record was written into 1 of them.', 'The files that you dropped stay as they were.'],
  });
  const zip = await JSZip.loadAsync(await applied.zip.arrayBuffer());
  expect(Object.keys(zip.files).toSorted()).toEqual(['b.pdf', 'counting_the_rivers_2019.pdf', 'manifest.json']);
  const written = await zip.file('counting_the_rivers_2019.pdf')?.async('uint8array');
  expect(text(written ?? new Uint8Array()).startsWith(text(files['a.pdf']))).toBe(true);
  expect(JSON.parse((await zip.file('manifest.json')?.async('text')) ?? '')).toMatchObject({
    entries: [{ doi: RIVERS }],
  });
  await it.db.delete();
});

test('DOCUMENT-45 a manifest that cannot be read is said, kept, and nothing is carried out; what is no PDF is named, doubles are left alone', async () => {
  const double = paper(RIVERS, 'Counting the rivers');
  const broken = new TextEncoder().encode('{ "version": 2 }');
  const files = {
    'a.pdf': double,
    'b.pdf': double,
    'c.pdf': new Uint8Array(),
    'd.pdf': new Uint8Array([1, 2, 3]),
    'manifest.json': broken,
  };
  const it = room(files, { [RIVERS]: 'Counting the rivers' });
  let problem: string | null = null;
  const source = { kind: 'handle', handle: it.folder.handle } as const;
  value(await it.service.open(source, true, it.heard, (opened) => void (problem = opened.problem)));
  expect(problem).toContain('is no manifest of version 1');
  expect(it.rows.get('b.pdf')).toMatchObject({ doubleOf: 'a.pdf' });
  expect(it.rows.get('c.pdf')?.proposal.reasons).toEqual(['It is empty.']);
  expect(it.rows.get('d.pdf')?.proposal).toMatchObject({ sure: 'unknown', record: null });
  const before = it.hashes();
  const { hash } = value(await it.service.preview({ decided: [{ path: 'a.pdf', action: 'write' }], rename: true }));
  expect(await it.service.apply(hash, unheard)).toMatchObject({ ok: false, failure: { code: 'invalid' } });
  expect(it.hashes()).toEqual(before);
  await it.db.delete();
});

test('DOCUMENT-46 a run that ended in the middle is brought to an end when the page is opened again, its manifest with it', async () => {
  const it = room({ 'a.pdf': paper(RIVERS, 'Counting the rivers') }, { [RIVERS]: 'Counting the rivers' });
  await it.open();
  const before = it.hashes();
  const { hash } = value(await it.service.preview({ decided: [{ path: 'a.pdf', action: 'write' }], rename: true }));
  // The manifest is the last thing that is written: the browser refuses it, as one that ends just then would.
  it.folder.disk.beforeClose = (path) => {
    if (path.startsWith('manifest')) throw new DOMException('gone', 'AbortError');
  };
  expect(await it.service.apply(hash, unheard)).toMatchObject({ ok: false });
  expect(await it.db.document_plans.toArray()).toMatchObject([{ status: 'pending' }]);
  delete it.folder.disk.beforeClose;
  value(await it.service.recover(false));
  const [row] = await it.db.document_plans.toArray();
  expect(row?.status).toBe('completed');
  expect(JSON.parse(it.folder.contents()['manifest.json'] ?? '')).toMatchObject({ entries: [{ doi: RIVERS }] });
  expect(value(await it.service.undo(row?.id ?? '', unheard))).toMatchObject({ result: 'undone' });
  expect(it.hashes()['a.pdf']).toBe(before['a.pdf']);
  await it.db.delete();
});

test('DOCUMENT-49 where what writes is not loaded and there is no network, nothing is changed, and that is said', async () => {
  const writer = { append: () => Promise.reject(failed('offline', 'What writes is not loaded yet.')) };
  const it = room({ 'a.pdf': paper(RIVERS, 'Counting the rivers') }, { [RIVERS]: 'Counting the rivers' }, writer);
  await it.open();
  const before = it.hashes();
  const { hash } = value(await it.service.preview({ decided: [{ path: 'a.pdf', action: 'write' }], rename: true }));
  expect(await it.service.apply(hash, unheard)).toMatchObject({ ok: false, failure: { code: 'offline' } });
  expect(it.hashes()).toEqual(before);
  expect(await it.db.document_plans.count()).toBe(0);
  await it.db.delete();
});

describe('DOCUMENT-73 of several identifiers', () => {
  const either = (...titles: string[]): Uint8Array<ArrayBuffer> =>
    new Uint8Array(
      makePdf([
        [
          { text: `https://doi.org/${RIVERS}`, x: 72, y: 720 },
          { text: `https://doi.org/${BANKS}`, x: 72, y: 700 },
          ...column(72, 650, [...titles, 'We measured it twice.']),
        ],
      ]),
    );
  const TITLES = { [RIVERS]: 'Counting the rivers', [BANKS]: 'Tracing the banks' };

  test('the one whose registered title alone stands on the first pages wins and is Strong', async () => {
    const it = room({ 'a.pdf': either('Tracing the banks') }, TITLES);
    await it.open();
    const row = it.rows.get('a.pdf');
    expect(row).toMatchObject({ asked: { kind: 'doi', value: BANKS }, choices: [] });
    expect(row?.proposal).toMatchObject({ sure: 'strong', record: { doi: BANKS } });
  });

  test('where none or both do, a person is shown each with its title, and what is chosen is looked up', async () => {
    const it = room({ 'a.pdf': either('Something else'), 'b.pdf': either(...Object.values(TITLES)) }, TITLES);
    await it.open(false);
    expect(it.asked).toEqual([]);
    expect(it.rows.get('a.pdf')?.choices.map(({ title }) => title)).toEqual(['', '']);
    value(await it.service.lookUp(it.heard));
    for (const path of ['a.pdf', 'b.pdf']) {
      expect(it.rows.get(path)?.proposal.sure).toBe('unsure');
      expect(it.rows.get(path)?.choices).toEqual(
        Object.entries(TITLES).map(([doi, title]) => ({ identifier: { kind: 'doi', value: doi }, title })),
      );
    }
    const chosen = value(await it.service.requery('b.pdf', { kind: 'doi', value: RIVERS }, true));
    expect(chosen).toMatchObject({ choices: [], proposal: { sure: 'strong', record: { doi: RIVERS } } });
  });
});

test('DOCUMENT-128 what the person says of a document while it is looked up stays', async () => {
  let go = (): void => undefined;
  const slow = new Promise<void>((resolve) => (go = resolve));
  let begun = (): void => undefined;
  const asking = new Promise<void>((resolve) => (begun = resolve));
  const answer = new Response(crossrefWork(RIVERS, { title: ['Counting the rivers'] }), {
    headers: { 'content-type': 'application/json' },
  });
  const says = (url: string) => {
    if (!decodeURIComponent(url).includes(RIVERS)) return null;
    begun();
    return slow.then(() => answer);
  };
  const pdf = paper(RIVERS, 'Counting the rivers');
  const it = room(
    { 'a.pdf': pdf, 'b.pdf': paper(BANKS, 'Tracing the banks') },
    { [BANKS]: 'Tracing the banks' },
    undefined,
    says,
  );
  await it.open(false);
  const banks = { kind: 'doi', value: BANKS } as const;
  value(await it.service.requery('b.pdf', banks, true));
  const looking = it.service.lookUp(it.heard);
  await asking;
  value(await it.service.requery('a.pdf', banks, true));
  go();
  await looking;
  const { names } = value(await it.service.preview({ decided: [{ path: 'a.pdf', action: 'write' }], rename: true }));
  expect(names['a.pdf']).toMatch(/banks/i);
});

test('DOCUMENT-136 a server that does not answer for its folders is a failure, so that the page asks again; without a server there are none', async () => {
  const none = room({}, {});
  expect(value(await none.service.serverFolders())).toEqual([]);
  const silent = room({}, {}, undefined, undefined, {
    baseUrl: 'http://127.0.0.1:1',
    token: () => Promise.resolve('a'),
  });
  expect(await silent.service.serverFolders()).toMatchObject({ ok: false, failure: { code: 'offline' } });
  await Promise.all([none.db.delete(), silent.db.delete()]);
});

test('DOCUMENT-141 a page that is left at once, whose database is closed before its worker has read which server it is, hears a failure of each of its questions', async () => {
  const it = room({}, {}, undefined, undefined, async () => (await catalogServer(it.db)).http);
  const plan = { id: 'plan', task: TASK, status: 'pending', mediaFolderPath: '/Papers', files: [] } as const;
  it.db.close();
  const { service } = it;
  const answers = await Promise.all([
    service.serverFolders(),
    service.scanServerFolder('a'),
    service.serverFolder('a'),
    service.serverFolderContent('a', 'a.pdf'),
    service.serverPlans(20),
    service.decideServerPlan({ ...plan, files: [] }, 'rejected'),
    service.sharedContent('0'.repeat(64)),
    service.listings(),
  ]);
  const failure: unknown = expect.objectContaining({ message: expect.stringContaining('closed') as string });
  expect(answers).toEqual(answers.map(() => ({ ok: false, failure })));
});

test("DOCUMENT-131 without space in a browser's folder every file is as it was, and that is said with what to do; with space the same is done", async () => {
  const files = { 'a.pdf': paper(RIVERS, 'Counting the rivers'), 'b.pdf': paper(BANKS, 'Tracing the banks') };
  const it = room(files, { [RIVERS]: 'Counting the rivers', [BANKS]: 'Tracing the banks' });
  await it.open();
  const before = it.hashes();
  it.folder.disk.beforeClose = (path) => {
    if (path.includes('b.pdf')) throw new DOMException('It is full.', 'QuotaExceededError');
  };
  const decided = Object.keys(files).map((path) => ({ path, action: 'write' as const }));
  const full = await confirmed(it.service, decided);
  expect(full).toMatchObject({ as: 'folder', outcome: { result: 'rolled-back', failure: { code: 'storage_full' } } });
  expect(it.hashes()).toMatchObject(before);
  delete it.folder.disk.beforeClose;
  // A browser lets no time be set: the folder is read again.
  await it.open();
  expect(await confirmed(it.service, decided)).toMatchObject({ as: 'folder', outcome: { result: 'done' } });
  expect(Object.keys(it.hashes())).toContain('tracing_the_banks_2019.pdf');
  await it.db.delete();
});
