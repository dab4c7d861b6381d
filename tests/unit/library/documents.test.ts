import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { readAsked } from '#lanes/library/core/documents/asked-documents.ts';
import { askedOf } from '#lanes/library/core/documents/library-documents.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import { nodePdfReader } from '#lanes/library/node/pdf-files.ts';
import { yieldsChunks } from '#core/ingest/agent.ts';
import { manifestEntry } from '../../fixtures/manifest-entry.ts';
import { column, makePdf, type MadePdf } from '../../fixtures/make-pdf.ts';
import { filesOf, indexingPorts, MemoryLibrary } from './library-world.ts';

const agents = libraryAgents({ pdf: nodePdfReader() }).filter(yieldsChunks);
const paper = (pages: readonly string[], said: MadePdf = {}): Uint8Array =>
  makePdf(
    pages.map((text) => column(72, 700, [text])),
    said,
  );
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const manifest = (...entries: Parameters<typeof manifestEntry>[0][]): string =>
  JSON.stringify({ version: 1, entries: entries.map(manifestEntry) });

async function libraryOf(files: Record<string, string | Uint8Array>): Promise<LibraryIndex> {
  const store = new MemoryLibrary();
  await indexFolder(indexingPorts(filesOf(files), store, agents));
  return (await openLibrary(store)).index;
}

function ask(index: LibraryIndex, question: string, folderOf?: (segment: number) => string) {
  const asked = askedOf(index, question, folderOf);
  const found =
    asked.words === '' ? asked.beginnings(10) : searchLibrary(index, asked.words, { ...asked.options, k: 10 });
  return found.map((passage) => {
    const { startOffset: _start, endOffset: _end, ...metadata } = asked.told(passage).metadata;
    return { ...passage, metadata };
  });
}

const pathsOf = (...given: Parameters<typeof ask>): string[] => ask(...given).map(({ path }) => path);

const RIVER = paper(['The river was counted.', 'A weir holds the water of the river.']);
const BANKS = paper(['The banks of the river were traced.']);
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/" prism:doi="10.5555/Mill.3" prism:publicationDate="2004-05"><dc:title><rdf:Alt><rdf:li>Mills of the river</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>Noor Öst</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>`;
const MILLS = paper(['Mills stand at the river.'], { xmp: XMP });

const SHELF = {
  'papers/river.pdf': RIVER,
  'papers/banks.pdf': BANKS,
  'mills.pdf': MILLS,
  'notes.txt': 'The river is long. Ana Garcia says so.',
  'papers/manifest.json': manifest(
    { id: hashOf(RIVER), filename: 'old-name.pdf', title: 'Counting the river', year: 2019, doi: '10.5555/river.1' },
    { id: 'b'.repeat(64), filename: 'banks.pdf', title: 'Tracing', authors: ['Le Guin, Ursula'], year: 1996 },
  ),
};

describe('LIBRARY-130 author:, year: and doi: choose documents', () => {
  test('by the manifest beside them, by content or by name, else by what the PDF says of itself', async () => {
    const index = await libraryOf(SHELF);
    expect(new Set(pathsOf(index, 'river')).size).toBe(4);
    expect(pathsOf(index, 'river author:garcia')).toEqual(['papers/river.pdf']);
    expect(pathsOf(index, 'author:"le guin" river')).toEqual(['papers/banks.pdf']);
    expect(pathsOf(index, 'river author:ost')).toEqual(['mills.pdf']);
    expect(pathsOf(index, 'river year:2000-2010')).toEqual(['mills.pdf']);
    expect(pathsOf(index, 'river year:-1999')).toEqual(['papers/banks.pdf']);
    expect(pathsOf(index, 'river doi:https://doi.org/10.5555/RIVER.1')).toEqual(['papers/river.pdf']);
    expect(pathsOf(index, 'river doi:10.5555/').toSorted()).toEqual(['mills.pdf', 'papers/river.pdf']);
    expect(pathsOf(index, 'river author:garcia year:1996')).toEqual([]);
  });

  test('alone they answer with the beginnings of the documents, the newest first', async () => {
    const index = await libraryOf(SHELF);
    expect(pathsOf(index, 'year:1990-')).toEqual(['papers/river.pdf', 'mills.pdf', 'papers/banks.pdf']);
    expect(ask(index, 'doi:10.5555/river.1')[0]?.text).toContain('The river was counted.');
  });

  test('a document that was written into is known by the id of before; one of another folder is not known by its name', async () => {
    const written = new Uint8Array([...RIVER, 10]);
    const state = JSON.stringify({ version: 1, written: { [hashOf(written)]: hashOf(RIVER) } });
    const one = await libraryOf({
      'a/manifest.json': SHELF['papers/manifest.json'],
      'a/manifest.state.json': state,
      'b/renamed.pdf': written,
    });
    expect(pathsOf(one, 'river author:garcia')).toEqual(['b/renamed.pdf']);
    const [named, other] = [
      await libraryOf({ 'manifest.json': SHELF['papers/manifest.json'] }),
      await libraryOf({ 'banks.pdf': BANKS }),
    ];
    const both = new LibraryIndex([...named.parts, ...other.parts]);
    expect(pathsOf(both, 'river author:guin', (segment) => String(segment))).toEqual([]);
    const again = new LibraryIndex([...named.parts, ...other.parts]);
    expect(pathsOf(again, 'river author:guin', () => 'one')).toEqual(['banks.pdf']);
  });

  test('what is no such field is words', () => {
    for (const words of ['author: garcia', 'year:soon', 'doi:none', 'the author:', 'co-author:x', 'year:', 'author:""'])
      expect(readAsked(words)).toEqual({ words, fits: null });
    expect(readAsked('a  author:x b').words).toBe('a    b');
  });
});

describe('LIBRARY-131 a passage says which document it is of', () => {
  test('with its page, by the manifest before the file, field by field; a manifest is no passage', async () => {
    const index = await libraryOf({
      ...SHELF,
      'manifest.json': manifest({ id: hashOf(MILLS), filename: 'x', title: 'Mills', authors: [], publication: '' }),
    });
    const [weir] = ask(index, 'weir');
    expect(weir?.metadata).toEqual({
      ...{ page: '2', title: 'Counting the river', authors: 'Ana Garcia; Ben Novak', year: '2019' },
      ...{ publication: 'Journal of Test Results', doi: '10.5555/river.1' },
    });
    expect(ask(index, 'mills')[0]?.metadata).toEqual({
      page: '1',
      title: 'Mills',
      authors: 'Noor Öst',
      year: '2004',
      doi: '10.5555/mill.3',
    });
    expect(pathsOf(index, 'Tracing Guin Counting 10.5555/river.1 retrieved_at')).not.toContain('papers/manifest.json');
  });

  test('a manifest.json of another program is a file like others, and titles that programs put there are none', async () => {
    const index = await libraryOf({
      'manifest.json': '{ "manifest_version": 3, "name": "an extension for rivers" }',
      'a.pdf': paper(['A text of rivers.'], {
        info: { Title: 'Microsoft Word - thesis.doc', Author: 'Lee Brook and Ana Moss' },
      }),
    });
    expect(pathsOf(index, 'extension for rivers')).toContain('manifest.json');
    expect(ask(index, 'author:moss')[0]?.metadata).toEqual({ page: '1', authors: 'Lee Brook; Ana Moss' });
  });
});

test('LIBRARY-51 a PDF of more than 5 MB is read', async () => {
  const large = paper(['A scan of the river.'], { info: { Keywords: 'x'.repeat(5_100_000) } });
  expect(pathsOf(await libraryOf({ 'scan.pdf': large }), 'river')).toEqual(['scan.pdf']);
});
