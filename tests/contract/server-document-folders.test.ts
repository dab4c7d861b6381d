/** `[documents] folders`: scanned beside the server, given by route, never changed. */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DocumentFolder, FolderDocument } from '#lanes/documents/core/folders/folder-document.ts';
import { createSharedClient } from '#lanes/documents/http/shared-client.ts';
import { openDocuments } from '#lanes/documents/server/lane-server.ts';
import { scanProcess } from '#lanes/documents/server/folders/scan-process.ts';
import type { ScanProgram } from '#lanes/documents/server/folders/scan-folders.ts';
import type { LaneServer, LaneUsing } from '#server/lane-server.ts';
import { documentWorld, paper, work } from '../fixtures/document-world.ts';
import { LANES, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';

const TITLE = 'Counting the rivers of the valley';
const CONFIG = { contact: null, sources: [] as string[] };

onBothStores('folders of documents on the server', () => {
  let server: TestServer;
  let lane: LaneServer | null = null;
  let papers: Awaited<ReturnType<typeof documentWorld>>;
  let runs = 0;

  /** As the program does, in this process and against invented sources. */
  const here: ScanProgram = async (_path, line) => {
    runs += 1;
    const code = await papers.scan(
      { write: false, json: true, manifest: false },
      { ...(await papers.ports()), say: line },
    );
    return code === 0 ? null : 'It failed.';
  };

  async function serve(program: ScanProgram, folders: readonly string[]): Promise<void> {
    server = await testServer({
      lanes: async (deps, directory) => {
        const using = { ...deps, directory, documents: { ...CONFIG, folders } } as unknown as LaneUsing;
        lane = await openDocuments(using, program);
        return LANES.map((one) => (one.id === 'documents' && lane !== null ? lane : one));
      },
    });
  }

  beforeEach(async () => {
    papers = await documentWorld(
      { 'a.pdf': paper(1, TITLE), 'sub/b.pdf': paper(2, 'Something else'), 'c.pdf': 'no PDF' },
      [work(1, TITLE), work(2, 'Another title of somebody'), work(1, TITLE), work(2, 'Another title of somebody')],
    );
    runs = 0;
  });
  afterEach(async () => {
    await lane?.close?.();
    await server.end();
    await papers[Symbol.asyncDispose]();
  });

  const folders = async () =>
    (await server.api<{ items: DocumentFolder[] }>('GET', '/v1/documents/folders')).body.items;
  /** As a page that looks again and again does. */
  async function scanned(): Promise<DocumentFolder> {
    for (;;) {
      const [folder] = await folders();
      if (folder !== undefined && folder.state !== 'waiting' && folder.state !== 'scanning') return folder;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  test('DOCUMENT-93, DOCUMENT-94 folders of accession.toml are scanned, and each document is given with its evidence', async () => {
    await serve(here, [papers.root]);
    const before = await papers.hashes();
    lane?.begin?.();
    const folder = await scanned();
    expect(folder).toMatchObject({ state: 'scanned', documents: 3, why: null, scanned_at: server.time.now });
    const client = createSharedClient({ baseUrl: server.url, token: () => Promise.resolve(TOKEN) });
    const answer = await client.folderDocuments(folder.id, null);
    const items: FolderDocument[] = answer.ok ? answer.value.items : [];
    expect(items.map(({ path, sure, record }) => [path, sure, record?.title ?? null])).toEqual([
      ['a.pdf', 'strong', TITLE],
      ['c.pdf', 'unknown', null],
      ['sub/b.pdf', 'unsure', 'Another title of somebody'],
    ]);
    expect(items[0]?.evidence[0]).toMatchObject({ field: 'doi', value: '10.5555/river.1', page: 1 });
    const content = await client.folderContent(folder.id, 'a.pdf');
    expect(content.ok && new Uint8Array(content.value)).toEqual(new Uint8Array(paper(1, TITLE)));
    expect(await papers.hashes()).toEqual(before);

    await server.addToken('the-token-of-vera', 'vera', 'ReadCatalog');
    const headers = { Authorization: 'Bearer the-token-of-vera' };
    expect((await server.raw('GET', '/v1/documents/folders', null, headers)).status).toBe(403);
  });

  test('DOCUMENT-93 it is scanned again on a press and by a start a day later; a scan that fails keeps what was known', async () => {
    await serve(here, [papers.root]);
    lane?.begin?.();
    const { id } = await scanned();
    await serveAgain();
    expect([runs, (await scanned()).state]).toEqual([1, 'scanned']);
    server.time.now += 90_000_000;
    await serveAgain();
    await scanned();
    expect(runs).toBe(2);
    await lane?.close?.();
    lane = await openDocuments(using([papers.root]), () => Promise.resolve('The disk is gone.'));
    server.time.now += 90_000_000;
    await lane.close?.();
    lane = await openDocuments(using([papers.root]), () => Promise.resolve('The disk is gone.'));
    lane.begin?.();
    expect(await scanned()).toMatchObject({ id, state: 'failed', why: 'The disk is gone.', documents: 3 });
    expect((await server.api('POST', `/v1/documents/folders/${id}/scan`)).status).toBe(202);
    await lane.close?.();
    lane = await openDocuments(using([]), here);
    expect(await folders()).toEqual([]);
    expect((await server.api('POST', `/v1/documents/folders/${id}/scan`)).status).toBe(404);
  });

  test('DOCUMENT-94 no PDF is given that was not scanned, nor one that a link leads out to', async () => {
    await serve(here, [papers.root]);
    lane?.begin?.();
    const { id } = await scanned();
    const status = async (path: string) =>
      (await server.raw('GET', `/v1/documents/folders/${id}/content?path=${encodeURIComponent(path)}`)).status;
    const outside = join(server.data, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'b.pdf'), 'private');
    await rm(join(papers.root, 'sub'), { recursive: true });
    await symlink(outside, join(papers.root, 'sub'));
    await rm(join(papers.root, 'a.pdf'));
    await symlink(join(outside, 'b.pdf'), join(papers.root, 'a.pdf'));
    for (const path of ['sub/b.pdf', 'a.pdf', '../outside/b.pdf', '/etc/passwd', 'new.pdf', ''])
      expect(await status(path), path).toBe(404);
    expect(await status('c.pdf')).toBe(200);
  });

  test('DOCUMENT-93 the program reads a folder beside the server, and asks nobody where accession.toml lists no source', async () => {
    const program = scanProcess({ ...CONFIG, folders: [] }, join(papers.root, '..', 'data'));
    await serve(program, [papers.root, join(papers.root, 'nowhere')]);
    lane?.begin?.();
    const found = await scanned();
    expect(found).toMatchObject({ state: 'scanned', documents: 3 });
    expect(papers.requests).toEqual([]);
    expect(await readFile(join(papers.root, 'c.pdf'), 'utf8')).toBe('no PDF');
  });

  const using = (paths: readonly string[]): LaneUsing =>
    ({ ...server.deps, directory: server.data, documents: { ...CONFIG, folders: paths } }) as unknown as LaneUsing;

  async function serveAgain(): Promise<void> {
    await lane?.close?.();
    lane = await openDocuments(using([papers.root]), here);
    lane.begin?.();
  }
});
