import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { pdfjsText } from '#adapters/pdf/pdfjs-text.ts';
import { identifyPdfs } from '#lanes/documents/cli/identify-pdfs.ts';
import { identifyPdf, type IdentifiedPdf } from '#lanes/documents/core/pdf/identify-pdf.ts';
import { column, makePdf, type MadePdf, type Placed } from '../../fixtures/make-pdf.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const OWN = '10.5555/river.2019.42';
const OTHER = '10.5555/other.2001.7';
const reader = nodePdfText();
const BODY = column(
  72,
  600,
  Array.from({ length: 20 }, (_, i) => `The river was measured twice in year ${i}.`),
);

async function identify(pages: Placed[][], made: MadePdf = {}): Promise<IdentifiedPdf> {
  const pdf = await reader.open(makePdf(pages, made));
  try {
    return await identifyPdf(pdf, { aborted: false });
  } finally {
    await pdf.close();
  }
}

describe("a PDF's own identifier", () => {
  test('DOCUMENT-20 stands with its page, its box and the words around it', async () => {
    const { doi, evidence } = await identify([
      [{ text: `River Res 12. https://doi.org/${OWN}`, x: 72, y: 700 }, ...BODY],
    ]);
    expect(doi).toBe(OWN);
    expect(evidence).toMatchObject([
      { field: 'doi', value: OWN, kind: 'text', page: 1, words: expect.stringContaining('River Res') },
    ]);
    const [left = 0, lower = 0, right = 0, upper = 0] = evidence[0]?.box ?? [];
    expect(left).toBeGreaterThan(150);
    expect([lower < 700, upper > 700, right > left]).toEqual([true, true, true]);
  });

  test('DOCUMENT-20 is read over pieces and lines, and not from letters too small to read', async () => {
    const pieces = [
      { text: 'doi:10.55', x: 72, y: 700 },
      { text: '55/river.', x: 113, y: 700 },
      { text: '2019.42', x: 72, y: 688 },
      { text: `doi:${OTHER}`, x: 72, y: 660, size: 1 },
    ];
    expect((await identify([[...pieces, ...BODY]])).doi).toBe(OWN);
  });

  test('DOCUMENT-21 the foot of every page goes before a DOI that is cited on the first', async () => {
    const foot = { text: `doi:${OWN}`, x: 72, y: 30 };
    const cited = { text: `Cite this as: Person C. A bank. doi:${OTHER}`, x: 72, y: 640 };
    const { doi, evidence } = await identify([
      [cited, ...BODY, foot],
      [...BODY, foot],
      [...BODY, foot],
    ]);
    expect(doi).toBe(OWN);
    expect(evidence.map(({ kind }) => kind)).toContain('footer');
  });

  test("DOCUMENT-21 arXiv's turned stamp in the margin", async () => {
    const stamp = { text: 'arXiv:2203.98765v2 [cs.DL] 3 Mar 2022', x: 30, y: 250, size: 20, turned: true };
    const { arxiv, evidence } = await identify([[...BODY, stamp]]);
    expect(arxiv).toBe('2203.98765v2');
    expect(evidence).toMatchObject([{ field: 'arxiv', kind: 'margin', page: 1 }]);
  });

  test.each<[string, MadePdf, string]>([
    [
      'XMP',
      {
        xmp: `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:prism="http://prismstandard.org/namespaces/basic/3.0/"><prism:doi>${OWN}</prism:doi></rdf:Description></rdf:RDF></x:xmpmeta>`,
      },
      'xmp',
    ],
    ['Info', { info: { Subject: `River Res 12, doi:${OWN}`, Title: 'untitled.dvi' } }, 'info'],
    ['a link', { link: `https://doi.org/${OWN}` }, 'link'],
  ])('DOCUMENT-22 is taken from %s where no page has it', async (_name, made, kind) => {
    const { doi, evidence } = await identify([[...BODY]], made);
    expect(doi).toBe(OWN);
    expect(evidence.map((one) => one.kind)).toEqual([kind]);
  });

  test('DOCUMENT-22 is taken from an entry of Info that a publisher made', async () => {
    expect((await identify([[...BODY]], { info: { doi: OWN } })).doi).toBe(OWN);
  });

  test("DOCUMENT-22 a journal's DOI in XMP does not hide the article's", async () => {
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:prism="http://prismstandard.org/namespaces/basic/3.0/" prism:doi="10.5555/(ISSN)1234-5678"/></rdf:RDF></x:xmpmeta>';
    expect((await identify([[{ text: `https://doi.org/${OWN}`, x: 72, y: 700 }, ...BODY]], { xmp })).doi).toBe(OWN);
  });
});

test('DOCUMENT-23 `documents identify --pdfs` answers each file of a folder, and names those that cannot be read', async () => {
  await using folder = await temporaryFolder();
  const put = (name: string, bytes: Uint8Array | string) => writeFile(join(folder.root, name), bytes);
  const good = makePdf([[{ text: `https://doi.org/${OWN}`, x: 72, y: 700 }]]);
  await put('a.pdf', good);
  await put('cut.PDF', good.slice(0, 200));
  await put('empty.pdf', '');
  await put('picture.pdf', makePdf([[]]));
  await put('notes.txt', `doi:${OTHER}`);
  const out = join(folder.base, 'out.jsonl');
  const read = await identifyPdfs({ directory: folder.root, out, cancel: { aborted: false } });
  expect(read).toMatchObject({ files: 4, all: 4, identified: 1 });
  expect(read.unread.map(({ file }) => file)).toEqual(['cut.PDF', 'empty.pdf', 'picture.pdf']);
  const answers = (await readFile(out, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers.map(({ file, doi, reason }) => [file, doi, reason])).toEqual([
    ['a.pdf', OWN, null],
    ['cut.PDF', null, expect.stringMatching(/^it is damaged/)],
    ['empty.pdf', null, 'it is empty'],
    ['picture.pdf', null, 'it has no text layer: its pages are pictures, or empty'],
  ]);
  await expect(identifyPdfs({ directory: join(folder.root, 'none'), out, cancel: { aborted: false } })).rejects.toThrow(
    /cannot be listed/,
  );
});

test('DOCUMENT-24 a PDF whose reading is cancelled half-way says so, and the files after it are not read', async () => {
  await using folder = await temporaryFolder();
  const pages = Array.from({ length: 4 }, () => BODY);
  await writeFile(join(folder.root, 'a.pdf'), makePdf(pages));
  await writeFile(join(folder.root, 'b.pdf'), makePdf(pages));
  const out = join(folder.base, 'out.jsonl');
  let asked = 0;
  // Set at the third question: the first file is open, and one page of it is read.
  const cancel = {
    get aborted() {
      return ++asked > 2;
    },
  };
  const read = await identifyPdfs({ directory: folder.root, out, cancel });
  expect(read).toMatchObject({ files: 1, all: 2, identified: 0, unread: [{ file: 'a.pdf', reason: 'cancelled' }] });
});

test('DOCUMENT-121 links of a page are its own, with their boxes, and its text is not read for them', async () => {
  const address = `https://doi.org/${OWN}`;
  const library = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const readTexts: number[] = [];
  // Whoever asks a page for its annotations has pdf.js read all of its text beneath them.
  const getDocument: typeof library.getDocument = (source) => {
    const task = library.getDocument(source);
    const opened = task.promise.then((document) => {
      const { getPage } = document;
      document.getPage = async (number) => (readTexts.push(number), await getPage.call(document, number));
      return document;
    });
    return Object.create(task, { promise: { value: opened }, destroy: { value: () => task.destroy() } }) as typeof task;
  };
  const counted = pdfjsText({ load: () => Promise.resolve({ ...library, getDocument }) });
  const pdf = await counted.open(makePdf([BODY, BODY, BODY], { link: address }));
  expect(await pdf.links(1)).toEqual([{ address, box: expect.any(Array) }]);
  expect((await pdf.links(1))[0]?.box).toHaveLength(4);
  expect(await pdf.links(2)).toEqual([]);
  expect(readTexts).toEqual([]);
  await pdf.page(1);
  expect(readTexts).toEqual([1]);
  await pdf.close();
});
