/** What a page of HTML holds beside its running text: tables and links. */
import { Parser } from 'htmlparser2';

export interface PageTable {
  caption: string;
  columns: string[];
  rows: string[][];
}

export interface PageLink {
  text: string;
  /** Absolute. */
  address: string;
}

/** Of a page; tables within tables belong to the outer one's cell. */
const MOST_ROWS = 20_000;
const MOST_LINKS = 5_000;
const UNSEEN = new Set(['script', 'style', 'template', 'noscript', 'sup']);

interface OpenTable {
  caption: string;
  rows: { cells: string[]; head: boolean }[];
  /** Cells of rows above that reach down, by column: how often still. */
  spans: Map<number, { text: string; left: number }>;
}

export function readPage(html: string, base: string): { tables: PageTable[]; links: PageLink[] } {
  const reader = new PageReader(base);
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  });
  parser.end(html);
  return { tables: reader.tables.map(tableOf).filter(({ rows }) => rows.length > 0), links: reader.links };
}

class PageReader {
  readonly tables: OpenTable[] = [];
  readonly links: PageLink[] = [];
  readonly #base: string;
  /** Depth of tables; only the outermost is read as one. */
  #depth = 0;
  #table: OpenTable | null = null;
  #row: { cells: string[]; head: boolean } | null = null;
  #cell: { text: string; across: number; down: number; head: boolean } | null = null;
  #caption = false;
  #link: PageLink | null = null;
  #unseen: string[] = [];

  constructor(base: string) {
    this.#base = base;
  }

  open(name: string, { colspan, rowspan, href }: Readonly<Record<string, string>>): void {
    if (UNSEEN.has(name)) this.#unseen.push(name);
    if (name === 'a' && href !== undefined && this.links.length < MOST_LINKS) {
      const address = resolved(this.#base, href);
      if (address !== null) this.#link = { text: '', address };
    }
    if (name === 'table') {
      this.#depth += 1;
      if (this.#depth === 1) this.tables.push((this.#table = { caption: '', rows: [], spans: new Map() }));
    }
    if (this.#depth !== 1) return;
    if (name === 'caption') this.#caption = true;
    if (name === 'tr') {
      this.#endRow();
      this.#row = { cells: [], head: true };
    }
    if (name === 'td' || name === 'th') {
      this.#endCell();
      this.#row ??= { cells: [], head: true };
      this.#cell = { text: '', across: spanOf(colspan), down: spanOf(rowspan), head: name === 'th' };
    }
    if (name === 'br') this.text(' ');
  }

  text(text: string): void {
    if (this.#unseen.length > 0) return;
    if (this.#link !== null) this.#link.text += text;
    if (this.#cell !== null) this.#cell.text += text;
    else if (this.#caption && this.#table !== null) this.#table.caption += text;
  }

  close(name: string): void {
    if (this.#unseen.at(-1) === name) this.#unseen.pop();
    if (name === 'a' && this.#link !== null) {
      this.links.push({ ...this.#link, text: plain(this.#link.text) });
      this.#link = null;
    }
    if (name === 'table') {
      if (this.#depth === 1) {
        this.#endRow();
        this.#table = null;
      }
      this.#depth = Math.max(0, this.#depth - 1);
    }
    if (this.#depth !== 1) return;
    if (name === 'caption') this.#caption = false;
    if (name === 'td' || name === 'th') this.#endCell();
    if (name === 'tr') this.#endRow();
  }

  #endCell(): void {
    const [row, cell, table] = [this.#row, this.#cell, this.#table];
    this.#cell = null;
    if (row === null || cell === null || table === null) return;
    this.#fill(row.cells, table);
    const text = plain(cell.text);
    for (let at = 0; at < cell.across; at++) {
      if (cell.down > 1) table.spans.set(row.cells.length, { text, left: cell.down - 1 });
      row.cells.push(text);
    }
    row.head &&= cell.head;
  }

  /** Cells from above that reach into this row. */
  #fill(cells: string[], { spans }: OpenTable): void {
    for (let span = spans.get(cells.length); span !== undefined; span = spans.get(cells.length)) {
      if (span.left <= 1) spans.delete(cells.length);
      else spans.set(cells.length, { ...span, left: span.left - 1 });
      cells.push(span.text);
    }
  }

  #endRow(): void {
    this.#endCell();
    const [row, table] = [this.#row, this.#table];
    this.#row = null;
    if (row === null || table === null || table.rows.length >= MOST_ROWS) return;
    this.#fill(row.cells, table);
    if (row.cells.length > 0) table.rows.push(row);
  }
}

/** Of how many columns or rows a cell says that it is; the words of a page are not trusted. */
const spanOf = (text: string | undefined): number => Math.min(Math.max(Math.trunc(Number(text ?? 1)) || 1, 1), 200);

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The first rows of headings name the columns; where there are none, they are numbered. */
function tableOf({ caption, rows }: OpenTable): PageTable {
  const first = rows.findIndex(({ head }) => !head);
  const heads = rows.slice(0, first === -1 ? 1 : first);
  const body = rows.slice(Math.max(heads.length, 0));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, at) => {
    const parts = [...new Set(heads.map(({ cells }) => cells[at] ?? '').filter((part) => part !== ''))];
    return parts.join(' ') || `column ${at + 1}`;
  });
  return {
    caption: plain(caption),
    columns: unique(columns),
    rows: body.map(({ cells }) => columns.map((_, at) => cells[at] ?? '')),
  };
}

/** A name that is there already gets a number. */
export function unique(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  });
}

/** An address as a page writes it, made whole; null: it leads to no page of the web. */
export function resolved(base: string, href: string): string | null {
  const to = href.trim();
  if (/^https?:\/\//i.test(to)) return to;
  if (/^[a-z][a-z\d+.-]*:/i.test(to) || to === '' || to.startsWith('#')) return null;
  const [, origin = '', path = '/'] = /^(https?:\/\/[^/?#]+)([^?#]*)/i.exec(base) ?? [];
  if (origin === '') return null;
  if (to.startsWith('//')) return `${origin.slice(0, origin.indexOf(':'))}:${to}`;
  if (to.startsWith('?')) return `${origin}${path}${to}`;
  const [, way = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(to) ?? [];
  const steps = way.startsWith('/') ? [] : path.split('/').slice(0, -1);
  for (const step of way.replace(/^\//, '').split('/')) {
    if (step === '..') steps.splice(Math.max(1, steps.length - 1));
    else if (step !== '.') steps.push(step);
  }
  return `${origin}/${steps.filter((step, at) => step !== '' || at > 0).join('/')}${rest}`;
}
