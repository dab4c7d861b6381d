/** What a person sees of an HTML page, block by block: no script, style, comment, and nothing that is hidden. */
import { Parser } from 'htmlparser2';
import { failed } from '../errors.ts';

export interface Block {
  /** 1 to 6 of a heading; 0 of anything else. */
  level: number;
  text: string;
  /** Where its text is in the source, UTF-16 units. */
  start: number;
  end: number;
}

/** Never shown, whatever is in them. */
const HIDDEN = new Set(
  'script style template noscript head title meta link svg canvas iframe object audio video datalist select'.split(' '),
);
/** Takes an element out of sight: not shown, no size, no colour, or beside the page. */
const HIDING_STYLE =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])|(?:text-indent|left|top)\s*:\s*-\d{3,}|clip(?:-path)?\s*:\s*(?:rect\(\s*0|inset\(\s*(?:50|100)%)|(?<![-\w])color\s*:\s*transparent/i;
/** Begin and end a line. A row of a table is one. */
const BLOCKS = new Set(
  'address article aside blockquote body br button caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol optgroup p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);
/** Elements without content: they are never closed. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const CELL_END = ' | ';

export interface VisibleText {
  /** Of the page; '' where it has none. */
  title: string;
  blocks: Block[];
}

/** Elements in elements: the parser's time grows with their square. */
const MAX_DEPTH = 5_000;
/** Need not be closed, so that nothing follows from how many are open. */
const OPEN_ENDED = new Set('p li td th tr dt dd option optgroup thead tbody tfoot'.split(' '));

/** Reads a page in one pass. Throws AccessionError `file_unreadable` where it is nested too deep. */
export function visibleText(html: string): VisibleText {
  if (isTooDeep(html)) throw failed('file_unreadable', 'its elements are nested more than 5,000 deep');
  const reader = new Reader(hiddenBySheets(html));
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      onclosetag: (name) => reader.close(name),
      ontext: (text) => reader.text(text, parser.startIndex, parser.endIndex + 1),
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(html);
  reader.flush();
  return { title: reader.title.replaceAll(/\s+/g, ' ').trim(), blocks: reader.blocks };
}

function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    const lower = name.toLowerCase();
    if (VOID.has(lower) || OPEN_ENDED.has(lower)) continue;
    depth = slash === '/' ? Math.max(0, depth - 1) : depth + 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Classes and ids that the page's own style sheets never show. */
function hiddenBySheets(html: string): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const sheet of html.matchAll(/<style\b[^>]*>([^]*?)<\/style/gi))
    for (const rule of (sheet[1] ?? '').matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      if (!/display\s*:\s*none/i.test(rule[2] ?? '')) continue;
      for (const selector of (rule[1] ?? '').split(','))
        if (/^\s*[.#][\w-]+\s*$/.test(selector)) hidden.add(selector.trim());
    }
  return hidden;
}

class Reader {
  readonly blocks: Block[] = [];
  title = '';
  readonly #hiddenBySheets: ReadonlySet<string>;
  /** Elements that are open within the outermost hidden one, itself included; empty while what comes is shown. */
  readonly #hidden: string[] = [];
  #level = 0;
  #preformatted = 0;
  #row = 0;
  #text = '';
  #start = -1;
  #end = -1;

  constructor(hidden: ReadonlySet<string>) {
    this.#hiddenBySheets = hidden;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#hidden.length > 0 || this.#isHidden(name, attributes)) {
      if (!VOID.has(name)) this.#hidden.push(name);
      return;
    }
    if (CELLS.has(name)) this.#endCell();
    else if (BLOCKS.has(name) && (this.#row === 0 || name === 'tr' || name === 'table')) this.flush();
    else if (BLOCKS.has(name)) this.#text += ' ';
    if (name === 'tr') this.#row++;
    if (name === 'pre') this.#preformatted++;
    if (/^h[1-6]$/.test(name)) this.#level = Number(name[1]);
  }

  close(name: string): void {
    if (this.#hidden.length > 0) {
      const at = this.#hidden.lastIndexOf(name);
      if (at >= 0) this.#hidden.length = at;
      return;
    }
    if (name === 'tr') this.#row = Math.max(0, this.#row - 1);
    if (BLOCKS.has(name) && this.#row === 0) this.flush();
    if (name === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1);
    if (/^h[1-6]$/.test(name)) this.#level = 0;
  }

  text(text: string, start: number, end: number): void {
    if (this.#hidden.length > 0) {
      if (this.#hidden.at(-1) === 'title' && this.#hidden.length <= 2) this.title += text;
      return;
    }
    if (text.trim() !== '') {
      if (this.#start < 0) this.#start = start;
      this.#end = end;
    }
    this.#text += this.#preformatted > 0 ? text : text.replaceAll(/\s+/g, ' ');
  }

  /** Ends the line that is being written. */
  flush(): void {
    const text = this.#preformatted > 0 ? trimmedLines(this.#text) : this.#text.replaceAll(/ {2,}/g, ' ').trim();
    const said = text.replace(/^(\s*\|\s*)+|(\s*\|\s*)+$/g, this.#text.includes(CELL_END) ? '' : '$&');
    if (said !== '' && this.#start >= 0)
      this.blocks.push({ level: this.#level, text: said, start: this.#start, end: this.#end });
    this.#text = '';
    this.#start = -1;
  }

  #endCell(): void {
    if (this.#text.trim() !== '') this.#text = `${this.#text.trim()}${CELL_END}`;
  }

  #isHidden(name: string, attributes: Readonly<Record<string, string>>): boolean {
    if (HIDDEN.has(name) || (name === 'dialog' && attributes['open'] === undefined)) return true;
    if (attributes['hidden'] !== undefined || (name === 'input' && attributes['type'] === 'hidden')) return true;
    if (HIDING_STYLE.test(attributes['style'] ?? '')) return true;
    if (this.#hiddenBySheets.size === 0) return false;
    const classes = (attributes['class'] ?? '').split(/\s+/).map((one) => `.${one}`);
    return [...classes, `#${attributes['id'] ?? ''}`].some((one) => this.#hiddenBySheets.has(one));
  }
}

/** Without empty lines at both ends; what is before the first word of a line stays. */
const trimmedLines = (text: string): string => text.replace(/^(\s*\n)+/, '').trimEnd();
