import { describe, expect, test } from 'vitest';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { readChunks } from '#core/ingest/read-chunks.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { nodePdfReader } from '#lanes/library/node/pdf-files.ts';
import { column, makePdf } from '../../fixtures/make-pdf.ts';
import { still } from './reading.ts';

const registry = ingesterRegistry([{ ingesters: libraryAgents({ pdf: nodePdfReader() }) }]);
const read = (bytes: Uint8Array) => readChunks(registry, { path: 'a.pdf', content: '', bytes }, still);
const textsOf = async (bytes: Uint8Array) =>
  (await read(bytes)).chunks.map(({ text, metadata }) => [metadata['page'], text]);

const numbered = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${word} line ${i + 1} goes on and on to the end`);

describe('LIBRARY-25 the text of a PDF', () => {
  test('columns in reading order, below a title that spans them; a parted word is one', async () => {
    const left = [...numbered('left', 5), 'The wheel of the har-', 'bour turns.'];
    const page = [
      { text: 'A title that spans both of the columns of this page, from left to right', x: 60, y: 720 },
      // Drawn row by row, as some programs do.
      ...column(60, 680, left).flatMap((one, i) => [one, ...column(330, 680, numbered('right', 7)).slice(i, i + 1)]),
    ];
    const all = (await textsOf(makePdf([page]))).map(([, one]) => one).join('\n\n');
    expect(all).toBe(
      [
        'A title that spans both of the columns of this page, from left to right',
        [...numbered('left', 5), 'The wheel of the harbour turns.'].join('\n'),
        numbered('right', 7).join('\n'),
      ].join('\n\n'),
    );
  });

  test('page by page, without running heads and numbers of pages', async () => {
    const pages = [1, 2, 3].map((page) => [
      { text: `Journal of Mills 12 (2020), page ${page}`, x: 60, y: 760 },
      ...column(60, 700, [`Text of page ${page} begins.`, 'It goes on.']),
      { text: String(page), x: 300, y: 30 },
    ]);
    expect(await textsOf(makePdf(pages))).toEqual([
      ['1', 'Text of page 1 begins.\nIt goes on.'],
      ['2', 'Text of page 2 begins.\nIt goes on.'],
      ['3', 'Text of page 3 begins.\nIt goes on.'],
    ]);
  });
});

describe('LIBRARY-26 a PDF that cannot be read says why, and nothing else reads it', () => {
  const whole = makePdf([column(60, 700, ['Some text.'])]);
  const locked = new TextEncoder().encode(
    new TextDecoder()
      .decode(whole)
      .replace(
        '/Root 1 0 R',
        `/Root 1 0 R /Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >> /ID [<00> <00>]`,
      ),
  );
  test.each([
    ['no text layer', makePdf([[], []]), /no text layer: its 2 pages/],
    ['a password', locked, /password/],
    ['damage', new TextEncoder().encode('%PDF-1.4 and no more'), /damaged/],
    ['nothing of a PDF', Uint8Array.of(0, 1, 2), /damaged/],
  ])('%s', async (_, bytes, why) => {
    const { chunks, warnings } = await read(bytes);
    expect(chunks).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^pdf-ingester could not read "a.pdf": /);
    expect(warnings[0]).toMatch(why);
  });
});
