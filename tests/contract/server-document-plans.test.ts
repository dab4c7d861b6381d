/** Plans over documents of a server's folder: made of what was scanned, confirmed, carried out whole, taken back. */
import { createHash } from 'node:crypto';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMark } from '#adapters/node/folder-lock.ts';
import { planDisk } from '#adapters/node/plan-disk.ts';
import type { Manifest } from '#core/documents/manifest-form.ts';
import { failed } from '#core/errors.ts';
import { randomUuids } from '#core/ids.ts';
import type { PastPlan } from '#core/sync/plan-protocol.ts';
import type { DecidedFolder, DecideFolder, FolderDocument } from '#lanes/documents/core/folders/folder-document.ts';
import { sharedReplica } from '#lanes/documents/browser/share/shared-replica.ts';
import type { SharedDocument } from '#lanes/documents/core/share/shared-document.ts';
import { createSharedClient } from '#lanes/documents/http/shared-client.ts';
import { folderId } from '#lanes/documents/server/folders/scan-folders.ts';
import type { ScanProgram } from '#lanes/documents/server/folders/scan-folders.ts';
import { openDocuments } from '#lanes/documents/server/lane-server.ts';
import { documentPlans, manifestIn } from '#lanes/documents/node/document-plans.ts';
import type { LaneServer, LaneUsing } from '#server/lane-server.ts';
import { recoverPlans } from '#server/plans/recover-plans.ts';
import { serverKinds } from '#server/plans/server-plans.ts';
import { changed } from '../soak/changed-files.ts';
import { documentWorld, DOI, paper, work } from '../fixtures/document-world.ts';
import { documentRoom, valueOf } from '../fixtures/document-room.ts';
import { makePdf } from '../fixtures/make-pdf.ts';
import { choosing, ScriptedModel, SMALL } from '../fixtures/scripted-model.ts';
import { LANES, testPlans, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';

const RIVERS = 'Counting the rivers of the valley';
const BRIDGES = 'Counting the bridges of the valley';
const RECORD = {
  title: RIVERS,
  authors: [],
  publication: '',
  date: '',
  year: null,
  isbn: '',
  pdf_url: '',
  source_url: '',
};

onBothStores('plans over folders of documents on the server', () => {
  let server: TestServer;
  let lane: LaneServer;
  let papers: Awaited<ReturnType<typeof documentWorld>>;
  let id = '';

  const here: ScanProgram = async (_path, line) => {
    const code = await papers.scan(
      { write: false, json: true, manifest: join(papers.root, 'manifest.json') },
      { ...(await papers.ports()), say: line },
    );
    return code === 0 ? null : 'It failed.';
  };

  /** `how`: changes what plans are carried out by. */
  async function serve(how: (lane: LaneServer, data: string) => LaneServer = (one) => one): Promise<void> {
    server = await testServer({
      lanes: async (deps, directory) => {
        const documents = { contact: null, sources: [], folders: [papers.root] };
        const opened = await openDocuments({ ...deps, directory, documents } as unknown as LaneUsing, here);
        // In this process: what is spawned has a test of its own.
        const { plans } = opened;
        const inside = plans === undefined ? {} : { plans: { ...plans, kinds: [documentPlans()] } };
        lane = how({ ...opened, ...inside }, directory);
        const lanes = LANES.map((one) => (one.id === 'documents' ? lane : one));
        deps.plans = testPlans(
          join(directory, 'plans'),
          [papers.root],
          lanes.flatMap((one) => one.plans ?? []),
        );
        return lanes;
      },
    });
    lane.begin?.();
    id = folderId(papers.root);
    await scanned();
  }
  async function scanned(): Promise<void> {
    for (;;) {
      const answer = await server.api<{ items: { state: string }[] }>('GET', '/v1/documents/folders');
      if (answer.body.items[0]?.state === 'scanned') return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  beforeEach(async () => {
    papers = await documentWorld(
      { 'a.pdf': paper(1, RIVERS), 'a.bib': '@article{a}', 'sub/b.pdf': paper(2, BRIDGES), 'c.pdf': paper(3, 'Other') },
      [work(1, RIVERS), work(3, 'Nothing of that name'), work(2, BRIDGES)],
    );
  });
  afterEach(async () => {
    await lane.close?.();
    await server.end();
    await papers[Symbol.asyncDispose]();
  });

  /** From here on plans are carried out in processes of their own. */
  async function beside(): Promise<LaneServer> {
    const documents = { contact: null, sources: [], folders: [papers.root] };
    const using = { ...server.deps, directory: server.data, documents } as unknown as LaneUsing;
    const opened = await openDocuments(using, here);
    const lanes = opened.plans === undefined ? [] : [opened.plans];
    const folders = { roots: [], others: [papers.root] };
    const disk = planDisk(join(server.data, 'plans'), { kinds: serverKinds(lanes), ...folders, say: () => undefined });
    Object.assign(server.deps.plans, disk, { lanes });
    return opened;
  }

  const documents = async () =>
    (await server.api<{ items: FolderDocument[] }>('GET', `/v1/documents/folders/${id}/documents`)).body.items;
  const plan = (wish: DecideFolder) =>
    server.api<DecidedFolder & ErrorAnswer>('POST', `/v1/documents/folders/${id}/plan`, wish);
  const confirm = ({ planId, hash }: DecidedFolder) =>
    server.api<{ outcome: { renamed: number; said?: unknown[] }; plan: { status: string } } & ErrorAnswer>(
      'POST',
      '/api/updatePlan',
      { planId, status: 'completed', previewHash: hash },
    );
  const undo = (planId: string) =>
    server.api<{ renamed: number } & ErrorAnswer>('POST', `/v1/plans/${planId}/undo`, {});
  const history = async () =>
    (await server.api<{ items: PastPlan[] }>('GET', '/v1/plans/history?task=apply-document-metadata')).body.items;
  const manifest = async () => JSON.parse(await readFile(join(papers.root, 'manifest.json'), 'utf8')) as Manifest;
  const files = async (): Promise<Record<string, string>> =>
    Object.fromEntries(Object.entries(await papers.hashes()).filter(([name]) => !name.startsWith('manifest')));
  const ALL: DecideFolder = {
    decided: [
      { path: 'a.pdf', action: 'write' },
      { path: 'sub/b.pdf', action: 'skip' },
      { path: 'c.pdf', action: 'remove' },
    ],
  };

  test('DOCUMENT-100, DOCUMENT-101 a plan is made, shown, carried out whole with manifest and trash, and taken back', async () => {
    await serve();
    const before = await files();
    const made = await plan(ALL);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body.problems).toEqual([]);
    expect(made.body.files).toEqual([
      { path: 'a.pdf', to: 'counting_the_rivers_of_the_valley_2019.pdf', action: 'write', skipped: false },
      { path: 'sub/b.pdf', to: 'sub/b.pdf', action: 'write', skipped: true },
      { path: 'c.pdf', to: '.accession-trash/c.pdf', action: 'remove', skipped: false },
    ]);
    expect(await files()).toEqual(before);

    const done = await confirm(made.body);
    expect([done.status, done.body.plan.status]).toEqual([200, 'completed']);
    const after = await files();
    expect(Object.keys(after).toSorted()).toEqual([
      '.accession-trash/c.pdf',
      'counting_the_rivers_of_the_valley_2019.bib',
      'counting_the_rivers_of_the_valley_2019.pdf',
      'sub/b.pdf',
    ]);
    expect(after['counting_the_rivers_of_the_valley_2019.pdf']).not.toBe(before['a.pdf']);
    expect((await manifest()).entries.map(({ id: of, title, processed }) => [of, title, processed])).toEqual([
      [before['a.pdf'], RIVERS, true],
      [before['sub/b.pdf'], BRIDGES, false],
    ]);
    expect((await documents()).map(({ path, done: isDone }) => [path, isDone])).toEqual([
      ['counting_the_rivers_of_the_valley_2019.pdf', true],
      ['sub/b.pdf', false],
    ]);
    expect(await history()).toMatchObject([{ id: made.body.planId, result: 'written', can_undo: true }]);
    const log = await server.api<{ items: { action: string }[] }>('GET', '/v1/audit?limit=5');
    expect(log.body.items.map(({ action }) => action)).toContain('plan.written');

    // The document that was written into is the same one: it is known by the content that it first had.
    const again = await plan({ decided: [{ path: 'counting_the_rivers_of_the_valley_2019.pdf', action: 'skip' }] });
    expect([again.status, again.body.error.code]).toEqual([400, 'invalid']);

    expect((await undo(made.body.planId)).status).toBe(200);
    expect(await files()).toEqual(before);
    expect((await manifest()).entries).toEqual([]);
    expect(await history()).toMatchObject([{ result: 'undone', can_undo: false }]);
    expect((await undo(made.body.planId)).status).toBe(409);
  });

  test('DOCUMENT-100 a person may give another record, and what was scanned otherwise is planned for nobody', async () => {
    await serve();
    const given = { ...RECORD, doi: DOI(9), title: 'As a person says it', year: 2001 };
    const made = await plan({ decided: [{ path: 'c.pdf', action: 'write', record: given, source: 'crossref' }] });
    expect(made.body.files).toMatchObject([{ to: 'as_a_person_says_it_2001.pdf' }]);
    expect((await plan({ decided: [{ path: 'd.pdf', action: 'write' }] })).status).toBe(404);
    await writeFile(join(papers.root, 'a.pdf'), 'another one');
    const changed = await plan({ decided: [{ path: 'a.pdf', action: 'write' }] });
    expect([changed.status, changed.body.error.remedy]).toEqual([409, 'Scan the folder again.']);
    await writeFile(join(papers.root, 'manifest.json'), '{ "version": 2 }');
    const broken = await confirm(made.body);
    expect([broken.status, broken.body.error.message]).toEqual([
      400,
      expect.stringContaining('no manifest of version 1'),
    ]);
    expect(await readFile(join(papers.root, 'manifest.json'), 'utf8')).toBe('{ "version": 2 }');
    await server.addToken('the-token-of-vera', 'vera', 'ReadCatalog');
    const headers = { Authorization: 'Bearer the-token-of-vera', 'Content-Type': 'application/json' };
    const body = JSON.stringify(ALL);
    expect((await server.raw('POST', `/v1/documents/folders/${id}/plan`, body, headers)).status).toBe(403);
  });

  const feed = async () =>
    (
      await server.api<{ items: { id: string; op: string; record: SharedDocument | null }[] }>(
        'GET',
        '/v1/catalog/changes/documents',
      )
    ).body.items;

  test('DOCUMENT-110 what is approved in a folder goes to the store and by the feed to others, is taken back with it, and nothing goes where that is wished', async () => {
    await serve();
    const heard: string[] = [];
    server.deps.events.listen(({ type }) => void heard.push(type));
    const id1 = (await documents())[0]?.id ?? '';
    const quiet = await plan({ ...ALL, share: 'nothing' });
    expect((await confirm(quiet.body)).status).toBe(200);
    expect(await feed()).toEqual([]);
    expect((await undo(quiet.body.planId)).status).toBe(200);
    expect(await feed()).toEqual([]);
    await scanned();

    const made = await plan({
      decided: [
        { path: 'a.pdf', action: 'write' },
        { path: 'sub/b.pdf', action: 'skip' },
      ],
    });
    heard.length = 0;
    const done = await confirm(made.body);
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    const [put, ...others] = await feed();
    expect(others).toEqual([]);
    expect(put).toMatchObject({
      op: 'put',
      id: id1,
      record: {
        title: RIVERS,
        doi: DOI(1),
        filename: 'counting_the_rivers_of_the_valley_2019.pdf',
        source: 'crossref',
        content: null,
      },
    });
    expect(heard).toContain('CatalogChanged');
    // Put in order again, it is the same.
    await recoverPlans(server.deps);
    expect(await feed()).toHaveLength(1);

    const http = { baseUrl: server.url, token: () => Promise.resolve(TOKEN) };
    const page = documentRoom({}, {}, undefined, undefined, http);
    const replica = sharedReplica(page.db, createSharedClient(http), server.deps.clock);
    valueOf(await replica.pull());
    expect((await page.db.shared_documents.toArray()).map(({ title }) => title)).toEqual([RIVERS]);

    expect((await undo(made.body.planId)).status).toBe(200);
    expect(await feed()).toMatchObject([{ id: id1, op: 'delete', record: null }]);
    await page.db.delete();
  });

  test('DOCUMENT-110 where it is wished their PDFs are kept with the records, and go with them', async () => {
    await serve();
    const made = await plan({ decided: [{ path: 'a.pdf', action: 'write' }], share: 'pdfs' });
    expect((await confirm(made.body)).status).toBe(200);
    const bytes = await readFile(join(papers.root, 'counting_the_rivers_of_the_valley_2019.pdf'));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await feed()).toMatchObject([{ record: { content: { sha256, size: bytes.length } } }]);
    const content = await server.raw('GET', `/v1/documents/contents/${sha256}`);
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await undo(made.body.planId)).status).toBe(200);
    expect((await server.raw('GET', `/v1/documents/contents/${sha256}`)).status).toBe(404);
  });

  test("DOCUMENT-101 what the manifest got since is nobody's to overwrite, and a plan of a program follows the same rules", async () => {
    await serve();
    const made = await plan({ decided: [{ path: 'a.pdf', action: 'write' }] });
    const [first] = await documents();
    const entry = {
      ...RECORD,
      doi: DOI(1),
      id: first?.id ?? '',
      filename: 'a.pdf',
      processed: true,
      retrieved_at: '',
      notes: 'mine',
      tags: [],
    };
    await writeFile(join(papers.root, 'manifest.json'), JSON.stringify({ version: 1, entries: [entry] }));
    const before = await papers.hashes();
    const refused = await confirm(made.body);
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('something else')]);
    expect(await papers.hashes()).toEqual(before);
    const whole = (files: object[]) =>
      server.api('POST', '/v1/plans', { task: 'apply-document-metadata', mediaFolderPath: papers.root, files });
    const row = {
      path: `${papers.root}/a.pdf`,
      id: entry.id,
      action: 'remove',
      to: `${papers.root}/x.pdf`,
      record: entry,
    };
    for (const file of [
      row,
      { ...row, id: 'b'.repeat(64) },
      { ...row, action: 'write', to: `${papers.root}/.accession-trash/a.pdf` },
    ])
      expect((await whole([file])).status).toBe(409);
    expect((await whole([{ ...row, action: 'write' }])).status).toBe(201);
  });

  test('DOCUMENT-102 where the manifest cannot be written nothing is changed, and the same plan goes through later', async () => {
    let isBroken = true;
    const broken = documentPlans(null, (root) => {
      const kept = manifestIn(root);
      return {
        ...kept,
        write: (part, text) =>
          isBroken ? Promise.reject(failed('storage_full', 'The disk is full.')) : kept.write(part, text),
      };
    });
    await serve((one) => ({ ...one, ...(one.plans && { plans: { ...one.plans, kinds: [broken] } }) }));
    const before = await papers.hashes();
    const made = await plan(ALL);
    const refused = await confirm(made.body);
    expect([refused.status, refused.body.error.message]).toEqual([409, 'The disk is full.']);
    expect(await papers.hashes()).toEqual(before);
    isBroken = false;
    const done = await confirm(made.body);
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    isBroken = true;
    expect((await undo(made.body.planId)).status).toBe(507);
    isBroken = false;
    expect((await undo(made.body.planId)).status).toBe(200);
    expect(await files()).toEqual(before);
    expect((await manifest()).entries).toEqual([]);
  });

  test('DOCUMENT-102 a start after a crash between the files and the manifest, or the plan, brings both to their end', async () => {
    let isBroken = false;
    const died: (() => void)[] = [];
    const dies = documentPlans(null, (root) => {
      const kept = manifestIn(root);
      return {
        ...kept,
        // As a process that ends there: nothing after it is done while the test looks.
        alone: (work) =>
          isBroken
            ? new Promise<never>((_, reject) => died.push(() => reject(new Error('it died'))))
            : kept.alone(work),
      };
    });
    await serve((one) => ({ ...one, ...(one.plans && { plans: { ...one.plans, kinds: [dies] } }) }));
    const made = await plan(ALL);
    const before = await files();
    isBroken = true;
    void confirm(made.body).catch(() => undefined);
    await expect
      .poll(() =>
        access(join(papers.root, '.accession-trash/c.pdf')).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect.poll(async () => (await server.deps.plans.journal.list())[0]?.records.at(-1)?.kind).toBe('end');
    isBroken = false;
    await recoverPlans(server.deps);
    expect((await manifest()).entries).toHaveLength(2);
    expect((await documents()).map(({ path }) => path)).toEqual([
      'counting_the_rivers_of_the_valley_2019.pdf',
      'sub/b.pdf',
    ]);
    expect(await history()).toMatchObject([{ result: 'written', can_undo: true }]);
    isBroken = true;
    void undo(made.body.planId).catch(() => undefined);
    await expect.poll(files).toEqual(before);
    await expect
      .poll(async () => (await server.deps.plans.journal.list())[0]?.records.at(-1))
      .toMatchObject({ result: 'undone' });
    isBroken = false;
    await recoverPlans(server.deps);
    expect((await manifest()).entries).toEqual([]);
    expect(await history()).toMatchObject([{ result: 'undone', can_undo: false }]);
    for (const end of died) end();
  });

  test('DOCUMENT-104 on the page the folder is opened as the server scanned it, a DOI is corrected, and what was shown is done and taken back', async () => {
    await serve();
    const http = { baseUrl: server.url, token: () => Promise.resolve(TOKEN) };
    const says = { [DOI(3)]: 'Nothing of that name', [DOI(7)]: 'Other' };
    const page = documentRoom({}, says, undefined, undefined, http);
    const source = { kind: 'server', id, name: 'Show' } as const;
    let opened: unknown = null;
    const before = await files();
    valueOf(await page.service.open(source, true, page.heard, (about) => (opened = about)));
    expect(opened).toEqual({ folder: id, name: 'Show', documents: 3, problem: null });
    expect([...page.rows.values()].map(({ path, proposal }) => [path, proposal.sure])).toEqual([
      ['a.pdf', 'strong'],
      ['c.pdf', 'unsure'],
      ['sub/b.pdf', 'strong'],
    ]);
    // Its pages are read here now, so that the registered title is held against them.
    const corrected = valueOf(await page.service.requery('c.pdf', { kind: 'doi', value: DOI(7) }, true));
    expect(corrected.proposal).toMatchObject({ sure: 'unsure', record: { title: 'Other', doi: DOI(7) } });
    const wish = {
      decided: [
        { path: 'a.pdf', action: 'write' },
        { path: 'c.pdf', action: 'write' },
        { path: 'sub/b.pdf', action: 'remove' },
      ],
      rename: true,
    } as const;
    const { hash, names, problems } = valueOf(await page.service.preview(wish));
    expect(problems).toEqual([]);
    const applied = valueOf(await page.service.apply(hash, () => undefined));
    expect(applied).toMatchObject({ as: 'server', written: 2, removed: 1, noted: 0 });
    expect(Object.keys(await files())).toEqual(expect.arrayContaining(Object.values(names)));
    expect((await manifest()).entries.map(({ title }) => title)).toEqual([RIVERS, 'Other']);
    const plans = valueOf(await page.service.serverPlans(20));
    expect(plans).toMatchObject({ past: [{ result: 'written', can_undo: true, files: 3 }], waiting: [] });
    const planId = applied.as === 'server' ? applied.planId : '';
    expect(valueOf(await page.service.undoOnServer(planId))).toMatchObject({ result: 'undone', renamed: 4 });
    expect(await files()).toEqual(before);
    expect(valueOf(await page.service.undoOnServer(planId))).toMatchObject({ result: 'refused' });
  });

  test('DOCUMENT-120 a document in doubt tells what it may be, and the model is asked about the page that the server has', async () => {
    await papers[Symbol.asyncDispose]();
    const two = makePdf([
      [
        { text: 'Floods of the valley', x: 72, y: 700 },
        { text: `https://doi.org/${DOI(8)}`, x: 72, y: 600 },
        { text: `https://doi.org/${DOI(9)}`, x: 72, y: 580 },
      ],
    ]);
    papers = await documentWorld({ 'two.pdf': two }, [work(8, 'On floods'), work(9, 'On ebbs')]);
    await serve();
    const listed = await server.api<{ items: FolderDocument[] }>('GET', `/v1/documents/folders/${id}/documents`);
    const titles = [DOI(8), DOI(9)].map((value, i) => ({
      ...{ identifier: { kind: 'doi', value }, title: ['On floods', 'On ebbs'][i] },
    }));
    expect(listed.body.items.map(({ choices }) => choices)).toEqual([titles]);

    const model = new ScriptedModel(choosing(DOI(9), 'It is about ebbs.'), SMALL);
    const http = { baseUrl: server.url, token: () => Promise.resolve(TOKEN) };
    const says = { [DOI(8)]: 'On floods', [DOI(9)]: 'On ebbs' };
    const page = documentRoom({}, says, undefined, undefined, http, model);
    valueOf(await page.service.open({ kind: 'server', id, name: 'Show' }, true, page.heard, () => undefined));
    expect(page.rows.get('two.pdf')).toMatchObject({ asked: null, choices: titles, proposal: { sure: 'unsure' } });
    const row = valueOf(await page.service.advise('two.pdf', true));
    expect(row.proposal).toMatchObject({ sure: 'unsure', record: { doi: DOI(9), title: 'On ebbs' } });
    expect(row.proposal.reasons.at(-1)).toBe(`The model script says that it is ${DOI(9)}: It is about ebbs.`);
    expect(row.choices).toEqual(titles);
    expect(JSON.stringify(model.requests)).toContain('Floods of the valley');
  });

  test('DOCUMENT-104 what the server would do otherwise than shown is not done; a plan of a program waits until a person decides', async () => {
    await serve();
    const http = { baseUrl: server.url, token: () => Promise.resolve(TOKEN) };
    const page = documentRoom({}, {}, undefined, undefined, http);
    valueOf(await page.service.open({ kind: 'server', id, name: 'Show' }, false, page.heard, () => undefined));
    const wish = { decided: [{ path: 'a.pdf', action: 'write' }], rename: true } as const;
    const { hash } = valueOf(await page.service.preview(wish));
    await writeFile(join(papers.root, 'counting_the_rivers_of_the_valley_2019.pdf'), 'taken');
    const before = await papers.hashes();
    const refused = await page.service.apply(hash, () => undefined);
    expect(refused).toMatchObject({ ok: false, failure: { message: expect.stringContaining('_2.pdf') as string } });
    expect(await papers.hashes()).toEqual(before);

    const made = await plan({ decided: [{ path: 'a.pdf', action: 'write' }] });
    const { waiting, past } = valueOf(await page.service.serverPlans(20));
    expect([waiting.map((one) => one.id), past.map(({ result }) => result)]).toEqual([
      [made.body.planId],
      ['rejected'],
    ]);
    const [one] = waiting;
    if (one === undefined) throw new Error('it does not wait');
    const other = { ...one, files: one.files.map((file) => ({ ...file, to: `${papers.root}/x.pdf` })) };
    expect(await page.service.decideServerPlan(other, 'completed')).toMatchObject({ ok: false });
    expect(await page.service.decideServerPlan(one, 'completed')).toMatchObject({ ok: true });
    expect(valueOf(await page.service.serverPlans(20)).waiting).toEqual([]);
  });

  test('DOCUMENT-103 a plan is carried out and taken back in a process beside the server, which says what came of it', async () => {
    await serve();
    const opened = await beside();
    const before = await files();
    const made = await plan(ALL);
    const done = await confirm(made.body);
    expect([done.status, done.body.outcome?.renamed], JSON.stringify(done.body)).toEqual([200, 3]);
    expect((await manifest()).entries).toHaveLength(2);
    expect((await undo(made.body.planId)).status).toBe(200);
    expect(await files()).toEqual(before);

    const next = await plan({ decided: [{ path: 'a.pdf', action: 'write' }] });
    await writeFile(join(papers.root, 'manifest.json'), 'nothing');
    const refused = await confirm(next.body);
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('no manifest')]);
    await opened.close?.();
  });

  /** Kills the process that changes files of the folder, in its middle; false: it was over before. */
  async function killWriter(isOver: () => boolean): Promise<boolean> {
    const names = (await readdir(papers.root)).filter((name) => name.endsWith('.pdf'));
    const paths = names.map((name) => join(papers.root, name));
    if (!(await changed(paths, { count: 2, longestMs: 60_000, isOver }))) return false;
    const mark = await readMark(papers.root);
    if (mark === null) return false;
    process.kill(mark.process.pid, 'SIGKILL');
    return true;
  }

  const MANY = 16;
  const numbers = Array.from({ length: MANY }, (_, i) => i + 1);
  const many = () =>
    documentWorld(Object.fromEntries(numbers.map((n) => [`${n}.pdf`, paper(n, `${RIVERS}, part ${n}`)])), null);
  const everything = (): DecideFolder => ({
    decided: numbers.map((n) => {
      const record = { ...RECORD, doi: DOI(n), title: `${RIVERS}, part ${n}`, year: 2019 };
      return { path: `${n}.pdf`, action: 'write' as const, record, source: 'crossref' };
    }),
  });

  test('DOCUMENT-111 the process that carries out a plan is killed: each file as before or as planned, the manifest whole, and the answer says which', async () => {
    await papers[Symbol.asyncDispose]();
    papers = await many();
    await serve();
    const opened = await beside();
    const before = await files();
    // However fast it is here: until it was killed in its middle.
    for (let tries = 1; ; tries++) {
      const made = await plan(everything());
      const asked = { over: false };
      const answer = confirm(made.body).finally(() => (asked.over = true));
      const isKilled = await killWriter(() => asked.over);
      const { status, body } = await answer;
      if (status !== 200) {
        expect([isKilled, status, body.error.code]).toEqual([true, 500, 'server_error']);
        expect(await readMark(papers.root)).toBeNull();
        expect(await server.deps.plans.journal.list()).not.toContainEqual(
          expect.objectContaining({ records: expect.not.arrayContaining([expect.objectContaining({ kind: 'end' })]) }),
        );
      }
      const now = await files();
      const isBack = JSON.stringify(now) === JSON.stringify(before);
      if (status !== 200)
        expect(body.error.message).toContain(isBack ? 'Every file is as before.' : 'All of it is done');
      if (!isBack) {
        expect(Object.keys(now)).toHaveLength(MANY);
        expect((await manifest()).entries).toHaveLength(MANY);
        expect((await undo(made.body.planId)).status).toBe(200);
        expect(await files()).toEqual(before);
        expect(tries).toBeLessThan(8);
        continue;
      }
      expect(await history()).toMatchObject([{ result: 'rolled-back', can_undo: false }]);
      const [waits] = (await server.deps.plans.store.list()).slice(-1);
      expect(waits?.state.problem).toBe('It was interrupted, and every file is as before.');
      break;
    }
    // The same plan goes through then, and an undo that is killed comes to an end, too.
    const again = await plan(everything());
    expect((await confirm(again.body)).status).toBe(200);
    const asked = { over: false };
    const answer = undo(again.body.planId).finally(() => (asked.over = true));
    await killWriter(() => asked.over);
    expect([200, 500]).toContain((await answer).status);
    expect(await files()).toEqual(before);
    expect((await manifest()).entries).toEqual([]);
    await opened.close?.();
  });

  test('DOCUMENT-111 the server died with it: the next start brings files, manifest, plan and records to one end', async () => {
    await papers[Symbol.asyncDispose]();
    papers = await many();
    await serve();
    const opened = await beside();
    const before = await files();
    const made = await plan(everything());
    const kept = await server.deps.plans.store.read(made.body.planId);
    const seen = await server.deps.plans.folders.see(papers.root);
    if (kept === null || seen === null) throw new Error('there is no such plan');
    const { execution } = server.deps.plans.kinds.of(kept.plan.task);
    const asked = { over: false };
    const { journal } = server.deps.plans;
    const ports = { clock: server.deps.clock, ids: randomUuids, journal, by: 'vera', hash: made.body.hash };
    // As the server does it, but nobody is left who would hear what came of it.
    const work = execution?.execute({ ...seen, ...kept, ...ports }).catch(() => undefined);
    void work?.finally(() => (asked.over = true));
    await killWriter(() => asked.over);
    await work;
    await recoverPlans(server.deps);
    expect(await readMark(papers.root)).toBeNull();
    const [now, [one]] = [await files(), await history()];
    if (one?.result === 'rolled-back') expect(now).toEqual(before);
    else {
      expect([one?.result, Object.keys(now).length]).toEqual(['written', MANY]);
      expect((await manifest()).entries).toHaveLength(MANY);
      expect(await feed()).toHaveLength(MANY);
    }
    await opened.close?.();
  });
});
