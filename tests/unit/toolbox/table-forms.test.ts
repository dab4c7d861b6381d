/** Tables and figures in the forms of other programs. */
import { expect, test } from 'vitest';
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
