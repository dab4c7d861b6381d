/** Tables and figures in the forms of other programs. */
import JSZip from 'jszip';
import { describe, expect, test } from 'vitest';
import { readArff, writeArff } from '#core/toolbox/frame/arff.ts';
import { engineTable } from '#core/toolbox/frame/table-forms.ts';
import { kmlOf } from '#core/toolbox/draw/kml.ts';

const IRIS = `% a comment
@RELATION iris
@attribute 'sepal length' REAL
@attribute class {setosa, "versi color"}
@attribute note string

@DATA
5.1,setosa,'it''s'
?, "versi color", 'a, b'
{0 4.9, 1 setosa, 2 x}
`.replace("it''s", "it\\'s");

test('TOOLBOX-32 ARFF is read with its quotes, comments, missing values and sparse rows, and what is wrong is said with its line', () => {
  expect(engineTable(IRIS)).toEqual([
    { 'sepal length': 5.1, class: 'setosa', note: "it's" },
    { 'sepal length': null, class: 'versi color', note: 'a, b' },
    { 'sepal length': 4.9, class: 'setosa', note: 'x' },
  ]);
  expect(() => readArff('@relation a\n@attribute x numeric\n@data\nfive\n')).toThrow(/line 4 "five" is no number/);
  expect(() => readArff('@relation a\n@attribute x numeric\n@attribute y numeric\n@data\n1\n')).toThrow(/line 5/);
  expect(() => readArff('@relation a\n')).toThrow(/no @data/);
});

test('TOOLBOX-32 a table is written as ARFF that reads as the same', () => {
  const rows = [[1, "it's", null], [2.5, 'b, c', true]]; // prettier-ignore
  const text = writeArff('My table', ['n', 'a word', 'x'], rows);
  expect(text).toContain("@relation 'My table'");
  expect(text).toContain('@attribute n numeric');
  expect(readArff(text)).toEqual([
    { n: 1, 'a word': "it's", x: null },
    { n: 2.5, 'a word': 'b, c', x: 'true' },
  ]);
});

test("TOOLBOX-32 Orange's .tab is read in both of its forms; a table of tabs is none", () => {
  const expected = [{ x: 1.5, kind: 'a' }, { x: null, kind: '2' }]; // prettier-ignore
  expect(engineTable('x\tkind\nc\td\n\tclass\n1.5\ta\n?\t2\n')).toEqual(expected);
  expect(engineTable('C#x\tcD#kind\n1.5\ta\n\t2\n')).toEqual(expected);
  expect(engineTable('x\tkind\n1\ta\n2\tb\n')).toBe('x\tkind\n1\ta\n2\tb\n');
});

test('TOOLBOX-32 JSON and a row a line are rows; CSV stays what it is', () => {
  expect(engineTable('[{"a": 1}]')).toEqual([{ a: 1 }]);
  expect(engineTable('{"a": 1}\n\n{"a": 2}\n')).toEqual([{ a: 1 }, { a: 2 }]);
  expect(engineTable('a,b\n1,2\n')).toBe('a,b\n1,2\n');
  expect(() => engineTable('[1, 2]')).toThrow(/no objects/);
});

test('TOOLBOX-33 a map is KML, too: each shape in its place, names and values as text', () => {
  const polygon = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }; // prettier-ignore
  const kml = kmlOf([{ properties: { label: 'A & <b>', value: 2 }, geometry: { type: 'Point', coordinates: [13.4, 52.5] } }, { properties: {}, geometry: { type: 'GeometryCollection', geometries: [polygon] } }], 'M'); // prettier-ignore
  expect(kml).toContain('<name>A &amp; &lt;b&gt;</name>');
  expect(kml).toContain('<Data name="value"><value>2</value></Data>');
  expect(kml).toContain('<Point><coordinates>13.4,52.5</coordinates></Point>');
  expect(kml).toContain(
    '<outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs>',
  );
});

describe('TOOLBOX-64 a sheet of Excel', () => {
  const sheet = (rows: string): string =>
    `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
  const PARTS = {
    'xl/workbook.xml':
      '<workbook xmlns:r="x"><sheets><sheet name="First" sheetId="1" r:id="rId1"/><sheet name="Second" sheetId="2" r:id="rId2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/other.xml"/></Relationships>',
    'xl/sharedStrings.xml':
      '<sst><si><t>name</t></si><si><r><t>Zü</t></r><r><t xml:space="preserve">rich </t></r></si><si><t>name</t></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': sheet(
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>day</t></is></c><c r="D1" t="s"><v>2</v></c></row><row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>46023</v></c><c r="C3" s="3"><v>1.5</v></c><c r="D3" t="b"><v>1</v></c></row><row r="4"><c r="B4" s="2"><v>46023.25</v></c><c r="C4"><f>1/0</f></c><c r="D4" t="e"><v>#DIV/0!</v></c></row><row r="5"><c r="A5"/></row>',
    ),
    'xl/worksheets/other.xml': sheet('<row><c t="str"><v>x</v></c></row><row><c><v>7</v></c></row>'),
  };
  const made = async (parts: Record<string, string>): Promise<string> => {
    const zip = new JSZip();
    for (const [name, text] of Object.entries(parts)) zip.file(name, text);
    return Buffer.from(await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })).toString('base64');
  };

  test('TOOLBOX-64 is rows: shared and inline texts, dates as ISO, yes and no, empty cells, names that are there twice', async () => {
    const xlsx = await made(PARTS);
    expect(engineTable({ xlsx })).toEqual([
      { name: 'Zürich ', day: '2026-01-01', 'column 3': 1.5, 'name 2': true },
      { name: null, day: '2026-01-01T06:00:00', 'column 3': null, 'name 2': null },
    ]);
    expect(engineTable({ xlsx, sheet: 'Second' })).toEqual([{ x: 7 }]);
  });

  test('TOOLBOX-64 what is none, has no such sheet, or expands without end is refused', async () => {
    const xlsx = await made(PARTS);
    expect(() => engineTable({ xlsx, sheet: 'Third' })).toThrow(/First, Second/);
    expect(() => engineTable({ xlsx: Buffer.from('PK no').toString('base64') })).toThrow(/no \.xlsx/);
    const bomb = await made({ ...PARTS, 'xl/worksheets/sheet1.xml': ' '.repeat(70 * 1024 * 1024) });
    expect(() => engineTable({ xlsx: bomb })).toThrow(/larger|too large/);
    const entity = await made({
      ...PARTS,
      'xl/sharedStrings.xml': '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><sst><si><t>&x;</t></si></sst>',
    });
    expect(() => engineTable({ xlsx: entity })).toThrow(/no XML/);
  });
});
