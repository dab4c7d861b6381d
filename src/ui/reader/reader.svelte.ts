/** An open document: its page, its size, what is looked for in it, and what is outlined. */
import type { PdfBox } from '#core/ingest/pdf.ts';
import { AccessionError, toFailure } from '#core/errors.ts';
import { boxOf, pageText, type PageText } from '#core/ingest/page-text.ts';
import type { DrawnPage, PdfSheet, PdfView } from '../client/pdf-view.ts';
import type { Reading } from './reading.ts';

export interface Found {
  page: number;
  box: PdfBox;
}

const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 2.5, 3, 4];
/** More than anybody steps through. */
const MOST = 500;

export class DocumentReader {
  pages = $state(0);
  page = $state(1);
  /** Pixels a point; null: as wide as there is room. */
  zoom = $state<number | null>(null);
  drawn = $state.raw<DrawnPage | null>(null);
  /** Why it cannot be shown, a sentence. */
  problem = $state<string | null>(null);
  words = $state('');
  found = $state.raw<readonly Found[]>([]);
  /** Which of them is shown. */
  at = $state(0);
  searching = $state(false);

  #view: PdfView | null = null;
  #closed = false;
  /** By number of the page. */
  readonly #texts: PageText[] = [];
  #search = 0;
  /** Points. */
  #width = 612;

  /** What is outlined on the page that is shown: what was found, or else the place that it was opened at, and marks. */
  readonly outlined: readonly PdfBox[] = $derived.by(() => {
    if (this.found.length > 0) {
      const one = this.found[this.at];
      return one !== undefined && one.page === this.page ? [one.box] : [];
    }
    const { page, box } = this.#reading ?? { page: null, box: null };
    return [...(page === this.page && box !== null ? [box] : []), ...this.marked];
  });
  /** What is marked on the page that is shown. */
  marked = $state.raw<readonly PdfBox[]>([]);
  #reading = $state.raw<Reading | null>(null);

  async open(reading: Reading): Promise<void> {
    this.#reading = reading;
    try {
      const [content, { openView }] = await Promise.all([reading.content(), import('../client/pdf-view.ts')]);
      if (!content.ok) throw new AccessionError(content.failure);
      const view = await openView(content.value, reading.password ?? null);
      if (this.#closed) return void (await view.close());
      this.#view = view;
      this.page = Math.max(1, Math.min(reading.page, view.pages));
      this.pages = view.pages;
    } catch (thrown) {
      const { message } = toFailure(thrown);
      this.problem = `It cannot be shown: ${message.replace(/\.$/, '')}.`;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#search++;
    await this.#view?.close();
  }

  /** @param room pixels that are there for the page's width */
  async draw(sheet: PdfSheet, room: number): Promise<void> {
    if (this.#view === null || this.pages === 0) return;
    const number = this.page;
    try {
      this.#width = (await this.#view.page(number)).width;
      const drawn = await this.#view.draw(number, sheet, this.zoom ?? this.#fit(room));
      if (drawn === null) return;
      this.marked = await this.#marksOf(number);
      this.drawn = drawn;
    } catch (thrown) {
      if (!this.#closed) this.problem = `This page cannot be shown: ${toFailure(thrown).message}`;
    }
  }

  async #marksOf(number: number): Promise<PdfBox[]> {
    const marks = this.#reading?.marks;
    if (marks === undefined) return [];
    const text = await this.#textOf(number);
    return marks(text.text).flatMap(({ start, end }) => {
      const box = boxOf(text, start, end);
      return box === null ? [] : [box];
    });
  }

  #fit = (room: number): number => Math.max(0.3, Math.min(1.6, room / this.#width));

  turn(by: number): void {
    this.goTo(this.page + by);
  }

  goTo(page: number): void {
    if (Number.isInteger(page) && page >= 1 && page <= this.pages) this.page = page;
  }

  /** The next larger or smaller size. */
  resize(by: 1 | -1, room: number): void {
    const now = this.zoom ?? this.#fit(room);
    const next = by > 0 ? ZOOMS.find((one) => one > now * 1.01) : ZOOMS.findLast((one) => one < now * 0.99);
    if (next !== undefined) this.zoom = next;
  }

  /** All places of the words, from the page that is shown on; a newer search ends an older one. */
  async search(): Promise<void> {
    const mine = ++this.#search;
    const wanted = this.words.trim().toLowerCase();
    this.found = [];
    this.at = 0;
    if (wanted === '' || this.#view === null) return;
    this.searching = true;
    const found: Found[] = [];
    const begin = this.page;
    for (let i = 0; i < this.pages && found.length < MOST; i++) {
      const number = ((begin - 1 + i) % this.pages) + 1;
      const text = await this.#textOf(number);
      if (mine !== this.#search) return;
      found.push(...placesOf(text, wanted, number));
      if (this.found.length === 0 && found.length > 0) {
        this.found = [...found];
        this.page = number;
      }
    }
    this.found = found;
    this.searching = false;
  }

  step(by: 1 | -1): void {
    const count = this.found.length;
    if (count === 0) return;
    this.at = (this.at + by + count) % count;
    this.page = this.found[this.at]?.page ?? this.page;
  }

  async #textOf(number: number): Promise<PageText> {
    const known = this.#texts[number];
    if (known !== undefined) return known;
    const text = this.#view === null ? { text: '', spans: [] } : pageText(await this.#view.page(number));
    this.#texts[number] = text;
    return text;
  }
}

function placesOf(text: PageText, wanted: string, page: number): Found[] {
  // Blanks and lines' ends are one to whoever looks for words.
  const pattern = new RegExp(
    wanted
      .split(/\s+/)
      .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join(String.raw`\s+`),
    'gi',
  );
  return [...text.text.matchAll(pattern)].flatMap((match) => {
    const box = boxOf(text, match.index, match.index + match[0].length);
    return box === null ? [] : [{ page, box }];
  });
}
