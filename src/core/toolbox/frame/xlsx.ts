/** A sheet of an Excel file (`.xlsx`) as rows: the first row names the columns; formulas give their kept values, dates ISO text. */
import { decodeUtf8 } from '../../utf8.ts';
import { fromBase64 } from '../base64.ts';
import { isZip, zipEntries } from '../geo/bytes.ts';
import { wrong } from '../geo/json-forms.ts';
import { named, readXml, type Node } from '../geo/xml-forms.ts';
import { unique } from '../connectors/html-page.ts';
import type { Row } from './arff.ts';

type Cell = string | number | boolean | null;

const MOST_ROWS = 1_000_000;
/** Formats of dates and times that have no text of their own in the file. */
const DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** @param sheet its name; the first where none is said. Throws AccessionError `tool_input`, `tool_limit`. */
export function readXlsx(base64: string, sheet: string | undefined): Row[] {
  const bytes = fromBase64(base64);
  if (!isZip(bytes)) throw wrong('is no .xlsx');
  const entries = new Map(zipEntries(bytes).map((entry) => [entry.name, entry]));
  const part = (name: string): Node | null => {
    const entry = entries.get(name);
    return entry === undefined ? null : readXml(decodeUtf8(entry.read()));
  };
  const book = part('xl/workbook.xml');
  if (book === null) throw wrong('is no .xlsx');
  const sheets = [...named(book, 'sheet')];
  const chosen = sheet === undefined ? sheets[0] : sheets.find(({ attributes }) => attributes['name'] === sheet);
  if (chosen === undefined)
    throw wrong(
      `has no sheet "${sheet ?? ''}"; there are ${sheets.map(({ attributes }) => attributes['name']).join(', ')}`,
    );
  const links = [...named(part('xl/_rels/workbook.xml.rels') ?? book, 'Relationship')];
  const target = links.find(({ attributes }) => attributes['Id'] === chosen.attributes['r:id'])?.attributes['Target'];
  const content = part(target === undefined ? 'xl/worksheets/sheet1.xml' : target.startsWith('/') ? target.slice(1) : `xl/${target}`); // prettier-ignore
  if (content === null) throw wrong('has no content for its sheet');
  const shared = Array.from(named(part('xl/sharedStrings.xml') ?? { ...content, children: [] }, 'si'), textOf);
  const from1904 = [...named(book, 'workbookPr')].some(({ attributes }) =>
    /^(?:1|true)$/.test(attributes['date1904'] ?? ''),
  );
  const isDate = datesOf(part('xl/styles.xml'));
  const rows = Array.from(named(content, 'row'), (row) => cellsOf(row, { shared, isDate, from1904 })).slice(
    0,
    MOST_ROWS,
  );
  return asRecords(rows.filter((row) => row.some((cell) => cell !== null)));
}

/** Runs of a text, without how it is read aloud. */
const textOf = (node: Node): string =>
  node.children
    .filter(({ name }) => name !== 'rPh')
    .map((child) => (child.name === 't' ? child.text : textOf(child)))
    .join('');

/** Which styles of cells are dates. */
function datesOf(styles: Node | null): (style: number) => boolean {
  if (styles === null) return () => false;
  const own = new Map(
    Array.from(named(styles, 'numFmt'), ({ attributes }) => [
      Number(attributes['numFmtId']),
      /[dmyhs]/i.test((attributes['formatCode'] ?? '').replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '')),
    ]),
  );
  const [formats] = named(styles, 'cellXfs');
  const ids = (formats?.children ?? []).map(({ attributes }) => Number(attributes['numFmtId'] ?? 0));
  return (style) => {
    const id = ids[style] ?? 0;
    return own.get(id) ?? DATES.has(id);
  };
}

interface Reading {
  shared: readonly string[];
  isDate: (style: number) => boolean;
  from1904: boolean;
}

function cellsOf(row: Node, reading: Reading): Cell[] {
  const cells: Cell[] = [];
  for (const cell of row.children.filter(({ name }) => name === 'c')) {
    const at = columnOf(cell.attributes['r'] ?? '') ?? cells.length;
    if (at >= 16_384) throw wrong('has cells beyond its columns');
    while (cells.length < at) cells.push(null);
    cells[at] = valueOf(cell, reading);
  }
  return cells;
}

/** `AB12` is column 27. */
function columnOf(reference: string): number | null {
  const [letters = ''] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  if (letters === '') return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function valueOf(cell: Node, { shared, isDate, from1904 }: Reading): Cell {
  const text = cell.children.find(({ name }) => name === 'v')?.text ?? null;
  switch (cell.attributes['t']) {
    case 's':
      return text === null ? null : (shared[Number(text)] ?? null);
    case 'inlineStr':
      return textOf(cell);
    case 'b':
      return text === '1';
    case 'str':
    case 'd':
      return text;
    case 'e':
      return null;
    default: {
      if (text === null || text.trim() === '') return null;
      const number = Number(text);
      if (!Number.isFinite(number)) return text;
      return isDate(Number(cell.attributes['s'] ?? 0)) ? dateOf(number, from1904) : number;
    }
  }
}

/** Days since the end of 1899, with a 29 February 1900 that never was. */
function dateOf(serial: number, from1904: boolean): string {
  const days = from1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const iso = new Date(Math.round((days - 25_569) * 86_400_000)).toISOString();
  if (serial < 1) return iso.slice(11, 19);
  return Number.isInteger(serial) ? iso.slice(0, 10) : iso.slice(0, 19);
}

function asRecords([head, ...rows]: readonly Cell[][]): Row[] {
  if (head === undefined) throw wrong('has no rows');
  const width = Math.max(head.length, ...rows.map((row) => row.length));
  const names = unique(Array.from({ length: width }, (_, at) => String(head[at] ?? `column ${at + 1}`)));
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
}
