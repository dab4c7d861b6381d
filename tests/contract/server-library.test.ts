import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import type { Result } from '#core/result.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import type { ServerFile, ServerFileRow, ServerFolder, ServerSymbol } from '#lanes/library/core/server-library.ts';
import { createLibraryClient } from '#lanes/library/http/library-client.ts';
import { interleaved } from '#lanes/library/ui/page/interleaved.ts';
import { readingPorts } from '#lanes/library/node/reading-ports.ts';
import { diskFolder } from '#lanes/library/node/disk-folder.ts';
import { folderId } from '#lanes/library/server/folders.ts';
import type { ErrorAnswer } from '../fixtures/server.ts';
import {
  hash,
  libraryWorld,
  QUESTIONS,
  registry,
  SMALL_LIBRARY,
  type LibraryWorld,
} from '../fixtures/server-library.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { MemoryLibrary } from '../unit/library/library-world.ts';

onBothStores('the library of the server', () => {
  let world: LibraryWorld;
  beforeEach(async () => {
    world = await libraryWorld();
    await world.write('Handbook', SMALL_LIBRARY);
    await world.server.addToken('the-token-of-vera', 'vera', 'ReadCatalog');
    await world.server.addToken('the-token-of-otto', 'otto', 'EditCatalog');
  });
  afterEach(() => world.end());

  const VERA = 'the-token-of-vera';
  const OTTO = 'the-token-of-otto';
  const as = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
  const get = <T>(path: string, token: string) => world.server.api<T & ErrorAnswer>('GET', path, undefined, as(token));

  test('LIBRARY-70 a question has the same passages as in a library of this machine: paths, lines, text and order', async () => {
    await world.name([{ name: 'Handbook', readers: ['ReadCatalog'] }]);
    expect(await world.index()).toEqual([]);
    const store = new MemoryLibrary();
    const folder = diskFolder(world.pathOf('Handbook'));
    let ids = 0;
    const ports = { ...readingPorts, folder, store, registry: () => registry, hash, decode: decodeLegacy };
    await indexFolder({ ...ports, ids: { next: () => `s${++ids}` } });
    const { index } = await openLibrary(store);
    for (const query of QUESTIONS) {
      const { status, body } = await world.search({ query, k: 5 }, VERA);
      expect(status, query).toBe(200);
      const here = searchLibrary(index, query, { k: 5 });
      const said = ({ path, start, end, startLine, endLine, text, agentId, symbolName }: (typeof here)[number]) => {
        return { path, start, end, startLine, endLine, text, agentId, symbolName };
      };
      expect(
        body.items.map((one) => said({ ...one, place: { segment: 0, file: 0 } })),
        query,
      ).toEqual(here.map(said));
      for (const [at, { score }] of body.items.entries()) expect(score, query).toBeCloseTo(here[at]?.score ?? 0, 6);
    }
    const found = (await world.search({ query: 'When was the harbour dug?' }, VERA)).body.items[0];
    expect(found).toMatchObject({ folderName: 'Handbook', path: 'notes/harbour.md', startLine: 1, page: null });
  });

  test('LIBRARY-71 a folder is there for those whom accession.toml names: others have no passage, no count and no term of it, and 404', async () => {
    await world.write('Secret', {
      ...SMALL_LIBRARY,
      'plans.md': '# Takeover\n\nThe zeppelin harbour of Brill is bought in May.\n',
      'secret.ts': 'export function readHTTPBodySecretly(): void {}\n',
    });
    await world.name([{ name: 'Handbook', readers: ['EditCatalog', 'vera'] }]);
    await world.index();
    const everything = async (token: string) => {
      const answers = [];
      for (const query of [...QUESTIONS, 'zeppelin']) answers.push((await world.search({ query }, token)).body);
      answers.push((await get('/v1/library/symbols?q=readHTTP', token)).body);
      return [...answers, await world.folders(token)];
    };
    const before = await everything(VERA);
    await world.name([
      { name: 'Handbook', readers: ['EditCatalog', 'vera'] },
      { name: 'Secret', readers: ['otto'] },
    ]);
    await world.index();
    expect(await everything(VERA)).toEqual(before);
    expect((await world.folders(OTTO)).map(({ name }) => name)).toEqual(['Handbook', 'Secret']);
    expect((await world.search({ query: 'zeppelin' }, OTTO)).body.items[0]).toMatchObject({ path: 'plans.md' });
    expect((await world.search({ query: 'zeppelin' })).body.items).toHaveLength(1);
    const secret = folderId('Secret');
    for (const path of ['', '/files', '/file?path=plans.md'])
      expect((await get(`/v1/library/folders/${secret}${path}`, VERA)).status, path).toBe(404);
    const asked = await world.search({ query: 'zeppelin', folders: [secret] }, VERA);
    expect(asked.status).toBe(404);
    expect((await world.search({ query: 'zeppelin', folders: [folderId('Handbook')] }, OTTO)).body.items).toEqual([]);
    // Nor is it there by another way of asking than that for a folder that never was.
    const never = await get<object>('/v1/library/folders/lf_never', VERA);
    const hidden = await get<object>(`/v1/library/folders/${secret}`, VERA);
    expect(JSON.stringify(hidden.body).replace(secret, 'lf_never')).toBe(JSON.stringify(never.body));
  });

  test('LIBRARY-71 a person is named by id or by name, and no longer after the name is gone from accession.toml', async () => {
    const person = {
      id: 'u-1',
      name: 'Ada Quist',
      role: 'reader' as const,
      created_at: 1,
      created_by: 'admin',
      removed_at: null,
    };
    await world.server.store.write((tx) => tx.insertInto('users').values(person).execute());
    await world.server.addToken('the-token-of-ada', 'u-1', 'ReadCatalog');
    await world.name([{ name: 'Handbook', readers: ['Ada Quist'] }]);
    await world.index();
    expect((await world.folders('the-token-of-ada')).map(({ state }) => state)).toEqual(['ready']);
    expect(await world.folders(VERA)).toEqual([]);
    await world.name([{ name: 'Handbook' }]);
    expect(await world.folders('the-token-of-ada')).toEqual([]);
    expect(await world.folders()).toHaveLength(1);
  });

  test('LIBRARY-77 a folder says how far it is, a file who read it, its warnings, its text and chunks with lines', async () => {
    await world.write('Handbook', {
      'odd.xyz': 'one line\n',
      'bytes.bin': new Uint8Array([0, 1, 2, 0]),
      'empty.txt': '',
    });
    await world.name([{ name: 'Handbook', readers: ['ReadCatalog'] }]);
    expect((await world.folders())[0]).toMatchObject({ state: 'waiting', files: 0, completed_at: null });
    await world.index();
    const id = folderId('Handbook');
    const folder = (await get<ServerFolder>(`/v1/library/folders/${id}`, VERA)).body;
    expect(folder).toMatchObject({
      state: 'ready',
      files: 10,
      failures: 0,
      found: 11,
      done: 11,
      left_out: { binary: 1 },
    });
    const list = (query: string) =>
      get<{ items: ServerFileRow[]; next_cursor: string | null }>(`/v1/library/folders/${id}/files${query}`, VERA);
    const first = (await list('?limit=4')).body;
    const rest = (await list(`?cursor=${first.next_cursor}`)).body;
    const rows = [...first.items, ...rest.items];
    expect(rows.map(({ path }) => path)).toEqual(rows.map(({ path }) => path).sort());
    expect([rows.length, rest.next_cursor]).toEqual([10, null]);
    expect(rows.find(({ path }) => path === 'odd.xyz')).toMatchObject({
      agentId: 'text-ingester',
      warnings: ['llm-code-ingester could not read "odd.xyz": no model is set.'],
    });
    expect(rows.reduce((sum, { chunks }) => sum + chunks, 0)).toBe(folder.chunks);
    expect((await list('?q=TAX')).body.items.map(({ path }) => path)).toEqual(['src/tax.py']);
    const file = (await get<ServerFile>(`/v1/library/folders/${id}/file?path=src/tax.py`, VERA)).body;
    expect(file.text).toBe(SMALL_LIBRARY['src/tax.py']);
    expect(file.outline.map(({ symbolName, startLine }) => [symbolName, startLine])).toEqual(
      expect.arrayContaining([
        ['compute_tax', 1],
        ['Invoice', 6],
        ['total', 7],
      ]),
    );
    expect((await get(`/v1/library/folders/${id}/file?path=../Handbook/page.html`, VERA)).status).toBe(404);
  });

  test('LIBRARY-75 symbols are found by name, beginning, parts and with a typo, best first', async () => {
    await world.name([{ name: 'Handbook', readers: ['ReadCatalog'] }]);
    await world.index();
    const names = async (words: string) =>
      (await get<{ items: ServerSymbol[] }>(`/v1/library/symbols?q=${encodeURIComponent(words)}`, VERA)).body.items.map(
        ({ name, path, line }) => `${name} ${path}:${line}`,
      );
    for (const words of ['readHTTPBody', 'readhttp', 'read bo', 'readHTPBody', 'HTTPBody'])
      expect((await names(words))[0], words).toBe('readHTTPBody src/reader.ts:3');
    expect((await names('compute'))[0]).toBe('compute_tax src/tax.py:1');
    expect(await names('zzzz')).toEqual([]);
    expect(await names('')).toEqual([]);
  });

  test('LIBRARY-79, LIBRARY-102 what the page asks the server: folders, passages beside its own, files page by page, a file’s text', async () => {
    await world.name([{ name: 'Handbook', readers: ['EditCatalog', 'vera'] }]);
    await world.index();
    const as = (token: string) =>
      createLibraryClient({ baseUrl: world.server.url, token: () => Promise.resolve(token) });
    const client = as(VERA);
    const valueOf = <T>(answer: Result<T>): T => {
      if (!answer.ok) throw new Error(answer.failure.message);
      return answer.value;
    };
    const [folder] = valueOf(await client.folders()).items;
    const id = folder?.id ?? '';
    const [hit] = valueOf(await client.search({ query: 'readHTTPBody', k: 3 })).items;
    expect(hit).toMatchObject({ folder: id, path: 'src/reader.ts', symbolName: 'readHTTPBody' });
    const page = valueOf(await client.files(id, { q: 'notes', cursor: null, limit: 2 }));
    const rest = valueOf(await client.files(id, { q: 'notes', cursor: page.next_cursor, limit: 2 }));
    expect([...page.items, ...rest.items].map(({ path }) => path)).toEqual(
      Object.keys(SMALL_LIBRARY)
        .filter((path) => path.startsWith('notes/'))
        .sort(),
    );
    const file = valueOf(await client.file(id, 'src/reader.ts'));
    expect(file.text.slice(hit?.start, hit?.end)).toBe(hit?.text);
    expect(valueOf(await client.symbols('readhttp', 3)).items[0]).toMatchObject({ folder: id, name: 'readHTTPBody' });
    // Looking again is for editors.
    expect(await client.scan(id)).toMatchObject({ ok: false, failure: { code: 'forbidden' } });
    expect(valueOf(await as(OTTO).scan(id)).id).toBe(id);
    expect(interleaved(['a1', 'a2', 'a3'], ['b1'], 3)).toEqual(['a1', 'b1', 'a2']);
    expect(interleaved([], ['b1', 'b2'], 9)).toEqual(['b1', 'b2']);
  });

  test('LIBRARY-76 without a model for embeddings vector and hybrid are answered as bm25, and the answer says so', async () => {
    await world.name([{ name: 'Handbook', readers: ['ReadCatalog'] }]);
    await world.index();
    const { body: plain } = await world.search({ query: 'harbour' });
    expect(plain).toMatchObject({ profile: 'bm25', note: null });
    for (const profile of ['vector', 'hybrid'] as const) {
      const { body } = await world.search({ query: 'harbour', profile });
      expect(body).toEqual({ ...plain, note: expect.stringContaining(`"${profile}" is answered as bm25`) as string });
    }
  });
});
