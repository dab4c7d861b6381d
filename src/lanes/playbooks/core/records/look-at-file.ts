/** A file of a run as a page shows it: records as a table that is sorted and filtered, pictures apart from it, else its text. */
import { readContent } from '../files/contents.ts';
import { marksIn, marksInText, numbersByRecord, type Mark, type NumbersOfStep } from './number-marks.ts';
import { fieldOf, isList, isMapping, mappingOf, printed, type Mapping, type Value } from '../value.ts';

export interface TableWish {
  sort: { column: string; down: boolean } | null;
  /** Records that have it in any field, whatever its case. */
  filter: string;
  /** Records that are given; of a text, so many times `TEXT_STEP` characters. */
  most: number;
}

/** A picture or a formula of a record, as its tool made it. */
export interface Figure {
  /** Of its record, from 0. */
  record: number;
  kind: 'svg' | 'mathml';
  text: string;
  description: string;
}

export type FileLook =
  | {
      kind: 'table';
      columns: string[];
      /** `record`: its place in the file, from 0. Long cells are cut. `marks`: of each cell, the numbers of answers. */
      rows: { record: number; cells: string[]; marks?: Mark[][] }[];
      total: number;
      matching: number;
      figures: Figure[];
    }
  /** `cut`: there is more of it; `more`: a wish for more is given more. */
  | { kind: 'text'; text: string; cut: boolean; more: boolean; marks?: Mark[] };

export interface Records {
  columns: string[];
  records: Value[];
  /** Texts of the cells, by record. */
  cells: string[][];
  figures: Figure[];
}

/** Characters of a text for each record that is wished for: a page that draws all of it at once stands still. */
const TEXT_STEP = 200;
/** Characters of a cell, and of a text, that are drawn. */
const MOST_CELL = 1000;
const MOST_TEXT = 200_000;
const MOST_FIGURES = 24;
/** How deep figures are looked for. */
const DEEPEST = 4;
/** What a cell says in the place of a figure. */
const FIGURE = '(figure)';
const PICTURE = /^\s*<(svg|math)[\s>]/;

/** null: the text holds no records. */
export function recordsOf(path: string, text: string): Records | null {
  if (!/\.(?:json|jsonl|csv)$/i.test(path)) return null;
  let content: Value;
  try {
    content = readContent(path, text);
  } catch {
    return null;
  }
  if (!isList(content) || content.length === 0) return null;
  const records = content;
  const columns = [...new Set(records.flatMap((record) => (isMapping(record) ? Object.keys(record) : ['record'])))];
  const figures: Figure[] = [];
  for (const [at, record] of records.entries()) if (figures.length < MOST_FIGURES) findFigures(record, at, figures);
  const cells = records.map((record) => columns.map((column) => cellOf(record, column)));
  return { columns, records, cells, figures };
}

function cellOf(record: Value, column: string): string {
  if (!isMapping(record)) return column === 'record' ? printed(record) : '';
  const value = fieldOf(record, column);
  if (value === undefined) return '';
  return printed(withoutFigures(value));
}

function withoutFigures(value: Value): Value {
  if (typeof value === 'string') return PICTURE.test(value) ? FIGURE : value;
  if (isList(value)) return value.map(withoutFigures);
  return isMapping(value) ? mappingOf(Object.entries(value).map(([key, one]) => [key, withoutFigures(one)])) : value;
}

function findFigures(value: Value, record: number, found: Figure[], depth = 0): void {
  if (depth > DEEPEST) return;
  if (isList(value)) for (const one of value) findFigures(one, record, found, depth + 1);
  if (!isMapping(value)) return;
  for (const one of Object.values(value)) {
    const is = typeof one === 'string' ? PICTURE.exec(one)?.[1] : undefined;
    if (is === undefined || typeof one !== 'string') findFigures(one, record, found, depth + 1);
    else found.push({ record, kind: is === 'svg' ? 'svg' : 'mathml', text: one, description: describing(value) });
  }
}

function describing(result: Mapping): string {
  const said = fieldOf(result, 'description') ?? fieldOf(result, 'sentence');
  return typeof said === 'string' ? said : '';
}

const inOrder = new Intl.Collator('en', { numeric: true });

/** Places of the records that the wish wants, in its order. */
function wanted({ cells, columns }: Records, { filter, sort }: Pick<TableWish, 'filter' | 'sort'>): number[] {
  const word = filter.trim().toLowerCase();
  const found = cells.flatMap((row, at) =>
    word === '' || row.some((cell) => cell.toLowerCase().includes(word)) ? [at] : [],
  );
  const column = sort === null ? -1 : columns.indexOf(sort.column);
  if (sort === null || column < 0) return found;
  const way = sort.down ? -1 : 1;
  const cell = (at: number): string => cells[at]?.[column] ?? '';
  return found.sort((a, b) => way * compared(cell(a), cell(b)));
}

/** Numbers by their value, and before texts; nothing at the end. */
function compared(a: string, b: string): number {
  const [one, other] = [numberIn(a), numberIn(b)];
  if (one !== null && other !== null) return one - other;
  if (one !== null || other !== null) return one !== null ? -1 : 1;
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  return inOrder.compare(a, b);
}

const numberIn = (cell: string): number | null =>
  cell.trim() === '' || !Number.isFinite(Number(cell)) ? null : Number(cell);

/** @param numbers of the answers that the file was made of; null: not known */
export function lookAt(
  text: string,
  records: Records | null,
  wish: TableWish,
  numbers: NumbersOfStep | null = null,
): FileLook {
  if (records === null) {
    const most = Math.min(MOST_TEXT, wish.most * TEXT_STEP);
    const shown = text.slice(0, most);
    const marks = numbers === null ? [] : marksInText(text, numbers).filter(({ to }) => to <= most);
    const cut = text.length > most;
    return { kind: 'text', text: shown, cut, more: cut && most < MOST_TEXT, ...(marks.length === 0 ? {} : { marks }) };
  }
  const places = wanted(records, wish);
  const numbersOf = numbers === null ? () => [] : numbersByRecord(numbers, records.cells.length);
  const rows = places.slice(0, wish.most).map((record) => {
    const whole = records.cells[record] ?? [];
    const cells = whole.map((cell) => (cell.length > MOST_CELL ? `${cell.slice(0, MOST_CELL)}…` : cell));
    const marks = marksIn(whole, numbersOf(record)).map((some) => some.filter(({ to }) => to <= MOST_CELL));
    return { record, cells, ...(marks.some((some) => some.length > 0) ? { marks } : {}) };
  });
  const { columns, figures, cells } = records;
  return { kind: 'table', columns, rows, total: cells.length, matching: places.length, figures };
}

/** The records that the wish wants, all of them and uncut, as a sheet takes them when they are pasted. */
export function sheetOf(records: Records, wish: Pick<TableWish, 'filter' | 'sort'>): string {
  const clean = (cell: string): string => (/[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = wanted(records, wish).map((at) => records.cells[at] ?? []);
  return [records.columns, ...lines].map((row) => row.map(clean).join('\t')).join('\n');
}
