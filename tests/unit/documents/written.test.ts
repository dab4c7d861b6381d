import { describe, expect, test } from 'vitest';
import { identifyWritten } from '#lanes/documents/core/written/identify-written.ts';
import { documentsAmong, type WrittenForm } from '#lanes/documents/core/written/written-file.ts';
import { documentRoom, valueOf } from '../../fixtures/document-room.ts';
import { documentWorld, DOI, work } from '../../fixtures/document-world.ts';

const CITED = '10.5555/cited.9';
const page = (head: string, body = '<h1>Counting the rivers</h1><p>We measured it twice.</p>'): string =>
  `<!doctype html><html><head><title>Some journal</title>${head}</head><body>${body}<h2>References</h2><ol><li>Noor Ost (2001) Mills. https://doi.org/${CITED}</li><li>Lee Brook (2002) Weirs.</li></ol></body></html>`;
const jats = (inside = ''): string => `<?xml version="1.0"?>
<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><journal-meta><journal-title-group>
<journal-title>Journal of Tests</journal-title></journal-title-group></journal-meta><article-meta>
<article-id pub-id-type="doi">${DOI(1)}</article-id><title-group><article-title>Counting the <italic>rivers</italic></article-title></title-group>
<contrib-group><contrib><name><surname>Garcia</surname>
<given-names>Ana</given-names></name></contrib></contrib-group><pub-date><year>2019</year></pub-date>
<related-article ext-link-type="doi" xlink:href="10.5555/other">10.5555/other</related-article></article-meta></front>
<body><p>We measured it twice.</p>${inside}</body>
<back><ref-list><ref><mixed-citation>Mills. <pub-id pub-id-type="doi">${CITED}</pub-id></mixed-citation></ref></ref-list></back></article>`;
const TEI = `<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Counting the rivers</title></titleStmt>
<sourceDesc><biblStruct><idno type="DOI">${DOI(1)}</idno></biblStruct></sourceDesc></fileDesc></teiHeader>
<text><body><p>We measured it.</p></body><back><listBibl><biblStruct><idno type="DOI">${CITED}</idno></biblStruct></listBibl></back></text></TEI>`;
const LD = (value: object): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

describe('DOCUMENT-88 HTML, XML and text', () => {
  test.each<[string, WrittenForm, string]>([
    ['citation_doi', 'html', page(`<meta name="citation_doi" content="${DOI(1)}">`)],
    ['Dublin Core', 'html', page(`<meta name="DC.Identifier" content="doi:${DOI(1)}">`)],
    ['PRISM', 'html', page(`<meta name="prism.doi" content="doi:${DOI(1)}">`)],
    [
      'JSON-LD',
      'html',
      page(
        LD({
          '@type': 'ScholarlyArticle',
          identifier: `https://doi.org/${DOI(1)}`,
          citation: { '@type': 'ScholarlyArticle', identifier: `https://doi.org/${CITED}` },
        }),
      ),
    ],
    [
      'a graph of JSON-LD',
      'html',
      page(LD({ '@graph': [{ '@type': ['Article'], '@id': `https://doi.org/${DOI(1)}` }] })),
    ],
    ['JATS', 'xml', jats()],
    ['TEI', 'xml', TEI],
  ])('%s names the own identifier, and what is cited is none', (_name, form, source) => {
    const { identified } = identifyWritten(source, form);
    expect(identified.doi).toBe(DOI(1));
    expect(identified.evidence[0]).toMatchObject({ field: 'doi', kind: 'meta', page: null });
    expect(identified.evidence.map(({ value }) => value)).not.toContain(CITED);
    expect(identified.front).toMatch(
      /^(?:\s*Journal of Tests\s*)?(?:10\.\S+\s+)?Counting the rivers|Counting the rivers/,
    );
  });

  test('what it says of itself is its record; nothing is made up', () => {
    expect(identifyWritten(jats(), 'xml').own).toMatchObject({
      ...{ title: 'Counting the rivers', authors: ['Ana Garcia'], publication: 'Journal of Tests' },
      ...{ date: '2019', year: 2019, doi: DOI(1) },
    });
    const head = `<meta name="citation_title" content="Counting &amp; tracing"><meta name="citation_author" content="Garcia, Ana"><meta name="citation_publication_date" content="2019/05"><meta name="citation_isbn" content="978-0-306-40615-7">`;
    expect(identifyWritten(page(head), 'html')).toMatchObject({
      own: { title: 'Counting & tracing', authors: ['Ana Garcia'], date: '2019-05', doi: '', isbn: '9780306406157' },
      identified: { doi: null, isbn: ['9780306406157'] },
    });
  });

  test('without its own none is claimed; a text is read as ever; what is hostile is text', () => {
    expect(identifyWritten(page(''), 'html').identified).toMatchObject({ doi: null, evidence: [] });
    expect(
      identifyWritten(`Counting the rivers\nhttps://doi.org/${DOI(1)}\nWe measured it.`, 'text').identified.doi,
    ).toBe(DOI(1));
    for (const source of ['', '<', '<a'.repeat(10_000), LD([null, 1]), '<script type="application/ld+json">{"@type":'])
      for (const form of ['html', 'xml', 'text'] as const)
        expect(identifyWritten(source, form).identified.doi).toBeNull();
    const entity = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "10.5555/x">]><a>&b;</a>';
    for (const form of ['html', 'xml'] as const) expect(identifyWritten(entity, form).identified.doi).toBeNull();
  });

  test('a text that goes with a PDF of its name is no document', () => {
    const paths = ['a.pdf', 'a.txt', 'b.txt', 'c.HTML', 'd.bib', 'x/a.xml'].map((path) => ({ path }));
    expect(documentsAmong(paths).map(({ path }) => path)).toEqual(['a.pdf', 'b.txt', 'c.HTML', 'x/a.xml']);
  });
});

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const FILES = {
  'a.html': page(`<meta name="citation_doi" content="${DOI(1)}">`),
  'other.html': page(''),
  'notes.txt': 'Milk, bread.',
};

test('DOCUMENT-88 on the page a folder of them is looked up, written into the manifest alone, and other files are left out; what is dropped is shown', async () => {
  const files = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [name, bytes(text)]));
  const it = documentRoom(files, { [DOI(1)]: 'Counting the rivers' });
  const before = it.hashes();
  await it.open();
  expect([...it.rows.keys()]).toEqual(['a.html']);
  expect(it.rows.get('a.html')).toMatchObject({ proposal: { sure: 'strong' }, whyNot: 'only PDFs are written into' });
  const wish = { decided: [{ path: 'a.html', action: 'write' as const }], rename: true };
  const { hash } = valueOf(await it.service.preview(wish));
  const applied = valueOf(await it.service.apply(hash, () => undefined));
  expect(applied.unwritten).toEqual([{ path: 'a.html', reason: 'only PDFs are written into' }]);
  expect(it.hashes()).toMatchObject(before);
  const manifest = JSON.parse(new TextDecoder().decode(it.folder.disk.files.get('manifest.json')?.bytes)) as object;
  expect(manifest).toMatchObject({ entries: [{ filename: 'a.html', doi: DOI(1), processed: true }] });

  it.rows.clear();
  const dropped = Object.entries(FILES).map(([path, text]) => ({ path, file: new File([text], path) }));
  valueOf(await it.service.open({ kind: 'files', files: dropped }, true, it.heard, () => undefined));
  expect([...it.rows.keys()].toSorted()).toEqual(['a.html', 'notes.txt', 'other.html']);
});

test('DOCUMENT-88 at the terminal likewise', async () => {
  await using it = await documentWorld(FILES, [work(1, 'Counting the rivers')]);
  const before = await it.hashes();
  expect(await it.scan()).toBe(0);
  expect(it.said.filter((line) => /: (?:strong|unsure|unknown)$/.test(line))).toEqual(['a.html: strong']);
  expect(await it.hashes()).toEqual(before);
  expect((await it.kept()).entries).toMatchObject([{ filename: 'a.html', doi: DOI(1) }]);
});
