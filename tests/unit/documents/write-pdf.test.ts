import { describe, expect, test } from 'vitest';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import { preparePdf, type PdfWriter } from '#lanes/documents/core/write/prepare-pdf.ts';
import { whyNotWritable } from '#lanes/documents/core/write/writable.ts';
import { DC, PRISM, withProperties } from '#lanes/documents/core/write/xmp.ts';
import { pdfLibWriter } from '#lanes/documents/pdf/pdf-lib-writer.ts';
import { column, makePdf, type MadePdf } from '../../fixtures/make-pdf.ts';
import { hasQpdf, qpdfFaults } from '../../fixtures/qpdf.ts';

const RECORD: DocumentRecord = {
  title: 'Räder & <Flüsse> der "河"',
  authors: ['Ana García', 'The Group'],
  publication: 'Journal of Tests',
  date: '2019-05',
  year: 2019,
  doi: '10.5555/d(2011)2<1::x>2.0;2-q',
  isbn: '',
  pdf_url: '',
  source_url: '',
};
const [writer, reader] = [pdfLibWriter(), nodePdfText()];
const PAGES = [column(72, 700, ['Rivers', 'We measured.']), column(72, 700, ['Banks'])];
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const packet = (inside: string): string =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${RDF}">${inside}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

const prepare = (bytes: Uint8Array, record: Partial<DocumentRecord> = {}, using: PdfWriter = writer) =>
  preparePdf(bytes, { ...RECORD, ...record }, { writer: using, reader });

async function written(made: MadePdf, record: Partial<DocumentRecord> = {}) {
  const original = makePdf(PAGES, made);
  const prepared = await prepare(original, record);
  if (prepared.write === 'refused') throw new Error(prepared.reason);
  const bytes = new Uint8Array([...original, ...prepared.added]);
  const pdf = await reader.open(bytes);
  const facts = await pdf.facts();
  await pdf.close();
  return { original, bytes, ...facts, added: new TextDecoder('latin1').decode(prepared.added) };
}

describe('DOCUMENT-31 a record is written behind the original', () => {
  test.each<[string, MadePdf]>([
    ['nothing', {}],
    ['Info', { info: { Title: 'untitled.dvi', Keywords: 'river' } }],
    ['XMP', { xmp: packet('<rdf:Description rdf:about=""/>') }],
  ])('which has %s', async (_what, made) => {
    const { original, bytes, added, info } = await written(made);
    expect(bytes.subarray(0, original.length)).toEqual(original);
    expect(info.get('Title')).toBe(RECORD.title);
    // Three objects: catalog, Info, XMP.
    expect(added.match(/^\d+ 0 obj$/gm)).toHaveLength(3);
    expect(whyNotWritable(bytes)).toBeNull();
    if (hasQpdf()) expect(await qpdfFaults(bytes)).toBe('');
  });

  test('and once more behind that', async () => {
    const { bytes } = await written({});
    const again = await prepare(bytes, { title: 'Another' });
    expect(again.write).toBe('ok');
  });
});

describe('DOCUMENT-32 what is written', () => {
  test('Info and XMP say the record, and keep what is not of it', async () => {
    const xmp = packet(
      '<rdf:Description rdf:about="" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/" xmlns:made="urn:made" prism:doi="10.5555/old" made:keep="yes"><dc:title xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li><rdf:li xml:lang="de">Alt</rdf:li></rdf:Alt></dc:title></rdf:Description>',
    );
    const { info, xmp: after } = await written({ info: { Keywords: 'river', Author: 'nobody' }, xmp });
    expect(Object.fromEntries(info)).toMatchObject({
      Title: RECORD.title,
      Author: 'Ana García, The Group',
      Subject: 'Journal of Tests',
      doi: RECORD.doi,
      Keywords: 'river',
    });
    expect(info.has('isbn')).toBe(false);
    expect(after).toContain('made:keep="yes"');
    expect(after).toContain('<rdf:li xml:lang="de">Alt</rdf:li>');
    expect(after).not.toContain('10.5555/old');
    expect(after).not.toContain('>Old<');
    expect(after).toMatch(/^<\?xpacket begin=.*<\?xpacket end="w"\?>$/s);
    expect(after).toContain('<rdf:li>Ana García</rdf:li><rdf:li>The Group</rdf:li>');
  });

  test('what the record does not know stays as it was', async () => {
    const { info } = await written({ info: { Author: 'Somebody', Subject: 'Old' } }, { authors: [], publication: '' });
    expect([info.get('Author'), info.get('Subject')]).toEqual(['Somebody', 'Old']);
  });

  test('a frame without content becomes a packet, and what no XML may hold is left out', async () => {
    const { xmp, info } = await written(
      { xmp: '<?xpacket begin="" id="x"?>   <?xpacket end="w"?>' },
      { title: 'A\u0000\u0007 B\uD800' },
    );
    expect(xmp).toContain('A B\uFFFD');
    expect(info.get('Title')).toBe('A B\uFFFD');
  });

  test.each([
    ['no XML', '<a><b></a>'],
    ['no RDF', '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'],
    ['entities', `<!DOCTYPE x [<!ENTITY a "b">]>${packet('')}`],
    ['too long', packet(' '.repeat(1_000_001))],
  ])('XMP with %s is not replaced', (_what, xmp) => {
    const property = { namespace: DC, name: 'dc:title', form: 'title', values: ['A'] } as const;
    expect(() => withProperties(xmp, [property])).toThrow(/its XMP packet is damaged/);
  });

  test('a property stands once, wherever it stood', () => {
    const double = packet(
      `<rdf:Description xmlns:p="${PRISM}" p:doi="10.5555/a"/><rdf:Description xmlns:prism="${PRISM}"><prism:doi>10.5555/b</prism:doi></rdf:Description>`,
    );
    const set = withProperties(double, [{ namespace: PRISM, name: 'prism:doi', form: 'text', values: ['10.5555/c'] }]);
    expect(set.match(/10\.5555\/./g)).toEqual(['10.5555/c']);
  });
});

test.each<[string, (bytes: Uint8Array) => Promise<Uint8Array> | Uint8Array, RegExp]>([
  [
    'another text',
    () => makePdf([column(72, 700, ['Rivers', 'We invented.']), PAGES[1] ?? []]),
    /does not begin with the original/,
  ],
  ['another page', async (bytes) => appendedPage(bytes), /page 1 read differently|another number of pages/],
  [
    'no fields',
    async (bytes) => (await writer.append(bytes, { info: {}, xmp: packet('') })).bytes,
    /Title did not read back/,
  ],
  [
    'a field less in XMP',
    async (bytes) =>
      (
        await writer.append(bytes, {
          info: {
            Title: RECORD.title,
            Author: RECORD.authors.join(', '),
            Subject: RECORD.publication,
            doi: RECORD.doi,
          },
          xmp: packet(''),
        })
      ).bytes,
    /dc:title did not read back/,
  ],
])('DOCUMENT-33 a writer that brings %s is not believed', async (_what, write, reason) => {
  const liar: PdfWriter = { append: async (bytes) => ({ bytes: await write(bytes), isSigned: false }) };
  expect(await prepare(makePdf(PAGES), {}, liar)).toMatchObject({
    write: 'refused',
    reason: expect.stringMatching(reason),
  });
});

/** The same with the first page's content changed behind it. */
async function appendedPage(bytes: Uint8Array): Promise<Uint8Array> {
  const { PDFDocument } = await import('@cantoo/pdf-lib');
  const document = await PDFDocument.load(bytes, { forIncrementalUpdate: true, updateMetadata: false });
  document.getPage(0).drawText('more');
  return document.save();
}

describe('DOCUMENT-34 nothing is written', () => {
  const text = (change: (source: string) => string): Uint8Array =>
    Uint8Array.from(change(new TextDecoder('latin1').decode(makePdf(PAGES))), (letter) => letter.charCodeAt(0));
  test.each<[string, Uint8Array, RegExp]>([
    ['with bytes before it', text((source) => `junk\n${source}`), /does not begin as a PDF/],
    ['without an end', text((source) => source.slice(0, -30)), /its end is missing/],
    [
      'whose table is elsewhere',
      text((source) => source.replace(/startxref\n\d+/, 'startxref\n7')),
      /table of objects is damaged/,
    ],
    [
      'whose tables go in a circle',
      text((source) => source.replace(/trailer\n<</, `trailer\n<< /Prev ${source.lastIndexOf('\nxref') + 1}`)),
      /table of objects is damaged/,
    ],
    ['encrypted', text((source) => source.replace('trailer\n<<', 'trailer\n<< /Encrypt 9 0 R')), /it is encrypted/],
    ['that is no PDF', new TextEncoder().encode('a'), /does not begin/],
  ])('to a PDF %s', async (_what, bytes, reason) => {
    expect(await prepare(bytes)).toMatchObject({ write: 'refused', reason: expect.stringMatching(reason) });
  });

  test('to one of more than 200 MB, and of a record that says nothing', async () => {
    expect(whyNotWritable(new Uint8Array(200_000_001))).toMatch(/larger than 200 MB/);
    const nothing = { title: '', authors: [], publication: '', date: '', doi: '' };
    expect(await prepare(makePdf(PAGES), nothing)).toMatchObject({ reason: 'its record says nothing' });
  });

  test('a signed one is written with a warning, a certified one is not', async () => {
    const signed = makePdf(PAGES, { catalog: '/AcroForm << /SigFlags 3 /Fields [] >>' });
    expect(await prepare(signed)).toMatchObject({ write: 'ok', warning: expect.stringContaining('signed') });
    const certified = makePdf(PAGES, { catalog: '/Perms << /DocMDP << /Type /Sig >> >>' });
    expect(await prepare(certified)).toMatchObject({ write: 'refused', reason: expect.stringContaining('certified') });
  });
});
