import { createHash } from 'node:crypto';
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import { askedOf } from '#lanes/library/core/documents/library-documents.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import { diskFolder } from '#lanes/library/node/disk-folder.ts';
import { folderId } from '#lanes/library/server/folders.ts';
import { readingPorts } from '#lanes/library/node/reading-ports.ts';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { manifestEntry } from '../fixtures/manifest-entry.ts';
import { hash, libraryWorld, registry, type LibraryWorld } from '../fixtures/server-library.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { MemoryLibrary } from '../unit/library/library-world.ts';

const paper = (text: string, info: Record<string, string> = {}): Uint8Array =>
  makePdf([column(72, 700, [text]), column(72, 700, ['A weir holds the river back.'])], { info });
const RIVER = paper('The river was counted.');
const manifest = (...entries: Parameters<typeof manifestEntry>[0][]): string =>
  JSON.stringify({ version: 1, entries: entries.map(manifestEntry) });
const idOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const PAPERS = {
  'a/river.pdf': RIVER,
  'a/banks.pdf': paper('The banks of the river were traced.'),
  'mills.pdf': paper('Mills stand at the river.', { Author: 'Noor Ost', doi: '10.5555/mill.3' }),
  'notes.txt': 'The river is long.',
  'a/manifest.json': manifest(
    { id: idOf(RIVER), filename: 'other.pdf', title: 'Counting the river', year: 2019, doi: '10.5555/river.1' },
    { id: 'b'.repeat(64), filename: 'banks.pdf', title: 'Tracing', authors: ['Ursula Le Guin'], year: 1996 },
  ),
};
const QUESTIONS = [
  ...['river', 'weir', 'river author:garcia', 'river author:"le guin"', 'river author:ost', 'river year:1990-2030'],
  ...[
    'doi:10.5555/river.1',
    'doi:10.5555/',
    'year:1990-',
    'author:nobody river',
    'Tracing Guin',
    'river doi:10.5555/mill.3',
  ],
];

onBothStores('documents in the library of the server', () => {
  let world: LibraryWorld;
  beforeEach(async () => {
    world = await libraryWorld();
    await world.write('Papers', PAPERS);
    await world.server.addToken('the-token-of-vera', 'vera', 'ReadCatalog');
  });
  afterEach(() => world.end());

  test('LIBRARY-132 the server answers author:, year: and doi: as a library of this machine does, with the same metadata', async () => {
    await world.name([{ name: 'Papers', readers: ['ReadCatalog'] }]);
    expect(await world.index()).toEqual([]);
    const store = new MemoryLibrary();
    let ids = 0;
    const ports = {
      ...readingPorts,
      folder: diskFolder(world.pathOf('Papers')),
      store,
      registry: () => registry,
      hash,
    };
    await indexFolder({ ...ports, decode: decodeLegacy, ids: { next: () => `s${++ids}` } });
    const { index } = await openLibrary(store);
    let passages = 0;
    for (const query of QUESTIONS) {
      const { status, body } = await world.search({ query, k: 8 }, 'the-token-of-vera');
      expect(status, query).toBe(200);
      const asked = askedOf(index, query);
      const here =
        asked.words === '' ? asked.beginnings(8) : searchLibrary(index, asked.words, { ...asked.options, k: 8 });
      passages += here.length;
      expect(
        body.items.map(({ path, start, end, page, metadata }) => ({ path, start, end, page, metadata })),
        query,
      ).toEqual(
        here.map((one) => {
          const { path, start, end, metadata } = asked.told(one);
          return { path, start, end, page: metadata['page'] ?? null, metadata };
        }),
      );
    }
    expect(passages).toBeGreaterThan(15);
  });

  test('LIBRARY-132 a manifest counts for those who may read its folder, and follows its changes', async () => {
    const secret = {
      'manifest.json': manifest({
        id: idOf(RIVER),
        filename: 'x.pdf',
        title: 'A secret title',
        authors: ['Sam Secret'],
      }),
    };
    await world.write('Secret', secret);
    await world.name([{ name: 'Papers', readers: ['ReadCatalog'] }, { name: 'Secret' }]);
    await world.index();
    const found = async (query: string, token?: string) =>
      (await world.search({ query }, token)).body.items.map(
        ({ path, metadata }) => `${path} ${metadata['title'] ?? ''}`,
      );
    expect(await found('author:secret', 'the-token-of-vera')).toEqual([]);
    expect(await found('author:secret')).toEqual(['a/river.pdf A secret title']);
    expect(await found('counted', 'the-token-of-vera')).toEqual(['a/river.pdf Counting the river']);
    await world.write('Papers', {
      'a/manifest.json': manifest({ id: idOf(RIVER), filename: 'river.pdf', title: 'Counted anew' }),
    });
    world.server.time.now += 600_000;
    await world.index();
    expect(await found('counted', 'the-token-of-vera')).toEqual(['a/river.pdf Counted anew']);
    expect(await found('year:1996', 'the-token-of-vera')).toEqual([]);
    await world.write('Papers', { 'a/manifest.json': null });
    world.server.time.now += 600_000;
    await world.index();
    expect(await found('counted', 'the-token-of-vera')).toEqual(['a/river.pdf ']);
  });

  test('LIBRARY-134 the server gives a PDF of a folder, whole or a range, to who may read it, and nothing from outside', async () => {
    await world.name([{ name: 'Papers', readers: ['ReadCatalog'] }, { name: 'Secret' }]);
    await world.write('Secret', { 'secret.pdf': RIVER });
    expect(await world.index()).toEqual([]);
    const vera = { Authorization: 'Bearer the-token-of-vera' };
    const at = (path: string, folder = 'Papers'): string =>
      `/v1/library/folders/${folderId(folder)}/content?path=${encodeURIComponent(path)}`;
    const whole = await world.server.raw('GET', at('a/river.pdf'), null, vera);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(new Uint8Array(RIVER));
    const part = await world.server.raw('GET', at('a/river.pdf'), null, { ...vera, Range: 'bytes=0-4' });
    expect([part.status, await part.text()]).toEqual([206, '%PDF-']);
    const beyond = { ...vera, Range: `bytes=${RIVER.length}-` };
    expect((await world.server.raw('GET', at('a/river.pdf'), null, beyond)).status).toBe(416);
    await rm(join(world.pathOf('Papers'), 'a'), { recursive: true });
    await symlink(world.pathOf('Secret'), join(world.pathOf('Papers'), 'a'));
    await rename(join(world.pathOf('Secret'), 'secret.pdf'), join(world.pathOf('Secret'), 'river.pdf'));
    for (const path of ['a/river.pdf', 'notes.txt', '../Secret/river.pdf', 'none.pdf', ''])
      expect([path, (await world.server.raw('GET', at(path), null, vera)).status]).toEqual([path, 404]);
    expect((await world.server.raw('GET', at('secret.pdf', 'Secret'), null, vera)).status).toBe(404);
  });
});
