import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { identifyPdf } from '#lanes/documents/core/pdf/identify-pdf.ts';
import { Doubles } from '#lanes/documents/core/plan/doubles.ts';
import type { IdentifiedPdf } from '#lanes/documents/core/pdf/identify-pdf.ts';
import { documentWorld, DOI, work } from '../../fixtures/document-world.ts';
import { documentRoom } from '../../fixtures/document-room.ts';
import { column, makePdf } from '../../fixtures/make-pdf.ts';

const NOTHING: IdentifiedPdf = {
  ...{ doi: null, arxiv: null, isbn: [], evidence: [], readings: [], hasText: true, front: '' },
};
const RIVERS = 'Counting the rivers of the valley';
const LINES = Array.from({ length: 24 }, (_, n) => `In year ${n} the bank moved by ${n * 7} metres at weir ${n % 5}.`);
const paper = (doi: string | null, lines: readonly string[], made = 'one'): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    makePdf([
      [
        ...(doi === null ? [] : [{ text: `https://doi.org/${doi}`, x: 72, y: 760 }]),
        ...column(72, 720, [RIVERS, ...lines]),
        { text: made, x: 72, y: 20 },
      ],
    ]),
  );

test('DOCUMENT-106 a copy that was saved anew and one that names the same identifier are said, and neither is written without a word', async () => {
  const files = {
    'a.pdf': paper(DOI(1), LINES),
    'b.pdf': paper(DOI(1), LINES, 'another'),
    'c.pdf': paper(DOI(1), ['A talk about the same.']),
    'd.pdf': paper(DOI(2), ['Something else.']),
  };
  const works = [work(1, RIVERS), work(2, RIVERS)];
  await using world = await documentWorld(files, works);
  expect(await world.scan({ jobs: 1 })).toBe(0);
  const said = world.said.join('\n');
  expect(said).toContain('Its first pages say the same as those of "a.pdf": it may be a copy saved anew.');
  expect(said).toContain(`"a.pdf" names ${DOI(1)}, too: they may be the same document.`);
  expect(said).toContain('done: 2 documents');

  const page = documentRoom(files, { [DOI(1)]: RIVERS, [DOI(2)]: RIVERS });
  await page.open();
  expect([...page.rows.values()].map(({ path, proposal }) => [path, proposal.sure])).toEqual([
    ['a.pdf', 'strong'],
    ['b.pdf', 'unsure'],
    ['c.pdf', 'unsure'],
    ['d.pdf', 'strong'],
  ]);
  expect(page.rows.get('b.pdf')?.proposal.reasons.at(-1)).toContain('"a.pdf"');
});

test('DOCUMENT-106 chapters of one book and texts that share some sentences are not the same', () => {
  const doubles = new Doubles();
  const seen = (path: string, front: string, isbn: string[] = []) => doubles.seen(path, { ...NOTHING, front, isbn });
  const book = ['9780306406157', '9783161484100'];
  expect(seen('one', LINES.slice(0, 12).join(' '), book)).toBeNull();
  expect(seen('two', LINES.slice(10).join(' '), book)).toBeNull();
  expect(seen('short', 'The same')).toBeNull();
  expect(seen('short again', 'The same')).toBeNull();
  expect(seen('three', LINES.slice(10).join(' ').toUpperCase())).toContain('"two"');
});

test('DOCUMENT-107 of 10,000 pages those at the ends are read, and a file of 1 GB is named with the reason', async () => {
  const pages = Array.from({ length: 10_000 }, (_, n) => [{ text: `Page ${n}`, x: 72, y: 700 }]);
  const pdf = await nodePdfText().open(makePdf(pages));
  const read: number[] = [];
  const counted = { ...pdf, pages: pdf.pages, page: (number: number) => (read.push(number), pdf.page(number)) };
  await identifyPdf({ ...counted, facts: () => pdf.facts(), links: (n) => pdf.links(n) }, { aborted: false });
  await pdf.close();
  expect([pdf.pages, read.length]).toEqual([10_000, 20]);

  await using world = await documentWorld({ 'large.pdf': 'large' }, []);
  const ports = await world.ports();
  const tree = ports.tree;
  const large = Object.create(tree, {
    list: {
      value: async function* () {
        for await (const entry of tree.list()) yield { ...entry, size: 1_000_000_000 };
      },
    },
    rules: { value: tree.rules },
    read: { value: (path: string) => tree.read(path) },
  }) as typeof tree;
  await writeFile(join(world.root, 'other.pdf'), 'other');
  expect(await world.scan({ write: false }, { ...ports, tree: large })).toBe(0);
  expect(world.said.filter((line) => line.includes('larger than 500 MB'))).toHaveLength(2);
  expect(world.said.join(' ')).not.toContain('the same content');
});
