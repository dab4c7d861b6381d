import { describe, expect, it } from 'vitest';
import { loadTable } from '#lanes/library/core/ask/tools/table/load-table.ts';
import { delimitedRecords } from '#core/text/delimited.ts';
import { libraryOf } from '../ask-world.ts';
import { called } from './tool-world.ts';

const CATCH =
  'boat,day,kg,note\nTern,2031-03-14,"1,840",calm\n\nMarrow,2031-03-15,92,"two\nlines, ""so"""\nTern,2031-04-02,310,\n';
const FILES = {
  'catch.csv': CATCH,
  'catch.tsv': 'boat\tkg\nTern\t5\n',
  'lines.ndjson': '{"boat":"Tern","kg":5}\n{"boat":"Marrow","crew":["Ana","Bo"]}\n',
  'list.json':
    '{\n  "made": 2031,\n  "rows": [\n    { "boat": "Tern", "kg": 5 },\n    { "boat": "Marrow", "kg": 7 }\n  ]\n}\n',
  'broken.json': '{"rows": [',
  'notes.md': '# Notes\n\nThe Tern is red.\n',
};

const rows = async (input: Record<string, unknown>, allows: () => boolean = () => true): Promise<unknown> =>
  called(loadTable, input, { index: await libraryOf(FILES), allows });

describe('load_table', () => {
  it('ASK-74 gives the rows for which all holds, each with its line, and quotes them as they stand in the file', async () => {
    expect(
      await rows({
        path: 'catch.csv',
        where: [
          { column: 'boat', value: 'tern' },
          { column: 'kg', is: '>=', value: 310 },
        ],
        columns: ['day', 'kg'],
      }),
    ).toMatchObject({
      total: 2,
      rows: [
        { line: 2, values: { day: '2031-03-14', kg: '1,840' } },
        { line: 6, values: { day: '2031-04-02', kg: '310' } },
      ],
      docs: [
        { text: 'Tern,2031-03-14,"1,840",calm', metadata: { startLine: 2, endLine: 2, path: 'catch.csv' } },
        { text: 'Tern,2031-04-02,310,', metadata: { startLine: 6 } },
      ],
    });
  });

  it('ASK-74 reads cells in quotes over lines, TSV, NDJSON and lists in JSON', async () => {
    expect(await rows({ path: 'catch.csv', where: [{ column: 'boat', value: 'Marrow' }] })).toMatchObject({
      rows: [{ line: 4, values: { note: 'two\nlines, "so"' } }],
      docs: [{ metadata: { startLine: 4, endLine: 5 } }],
    });
    expect(await rows({ path: 'catch.tsv' })).toMatchObject({ rows: [{ line: 2, values: { boat: 'Tern', kg: '5' } }] });
    expect(
      await rows({ path: 'lines.ndjson', where: [{ column: 'crew', is: 'contains', value: 'Bo' }] }),
    ).toMatchObject({
      rows: [{ line: 2, values: { boat: 'Marrow', kg: null, crew: '["Ana","Bo"]' } }],
    });
    expect(await rows({ path: 'list.json', where: [{ column: 'kg', is: '<', value: 6 }] })).toMatchObject({
      rows: [{ line: 4, values: { boat: 'Tern', kg: 5 } }],
      docs: [{ text: '{ "boat": "Tern", "kg": 5 }' }],
    });
    expect(
      await rows({ path: 'catch.csv', where: [{ column: 'day', is: '<', value: '2031-04-01' }], limit: 1 }),
    ).toMatchObject({ total: 2, rows: [{ line: 2 }] });
  });

  it('ASK-74 says what cannot be loaded: no such file, none that may be shown, no table, no such column', async () => {
    expect(await rows({ path: '../catch.csv' })).toEqual({ failed: expect.stringMatching(/has no file/) as unknown });
    expect(await rows({ path: 'catch.csv' }, () => false)).toEqual({
      failed: expect.stringMatching(/has no file/) as unknown,
    });
    expect(await rows({ path: 'notes.md' })).toEqual({ failed: expect.stringMatching(/no table/) as unknown });
    expect(await rows({ path: 'broken.json' })).toEqual({ failed: expect.stringMatching(/no JSON/) as unknown });
    expect(await rows({ path: 'catch.csv', columns: ['price'] })).toEqual({
      failed: expect.stringMatching(/has no column "price". It has: boat, day, kg, note/) as unknown,
    });
  });

  it('ASK-74 every record of a CSV stands at its place, whatever its line ends and quotes', () => {
    const text = '\uFEFFa;b\r\n1;"x\r\ny"\r\n"";z';
    expect([...delimitedRecords(text, ';')].map(({ start, end, cells }) => [text.slice(start, end), cells])).toEqual([
      ['a;b', ['a', 'b']],
      ['1;"x\r\ny"', ['1', 'x\r\ny']],
      ['"";z', ['', 'z']],
    ]);
  });
});
