/** Headings of Markdown, line by line: ATX and setext; not in fences, comments and front matter. */
import type { SourceText } from '#core/ingest/source-text.ts';

export interface Heading {
  /** 1 to 6. */
  level: number;
  title: string;
  /** The line of its text, the first one where there are several. */
  line: number;
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^[ \t]*(?:[-*+>][ \t]+)*(`{3,}|~{3,})(.*)$/;
/** HTML up to the next blank line, and up to its own end. */
const HTML_BLOCK =
  /^ {0,3}<\/?(address|article|aside|blockquote|body|center|details|dialog|dir|div|dl|dt|dd|fieldset|figure|figcaption|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)\b/i;
const RAW_BLOCK = /^ {0,3}<(script|pre|style|textarea)\b/i;

/** Begins no paragraph that an underline could make a heading. */
const NO_PARAGRAPH = /^(\t| {4,}| {0,3}([-*+]([ \t]|$)|\d{1,9}[.)]([ \t]|$)|>|\||<[!/a-z]|(?:[*_-][ \t]*){3,}$))/i;

/** Headings in the order of the text. */
export function headings(source: SourceText): Heading[] {
  const found: Heading[] = [];
  let fence = '';
  let isComment = false;
  /** Ends the HTML that goes on here. */
  let html: RegExp | null = null;
  /** Columns that what belongs to the list's item is indented; 0 outside of lists. */
  let inItem = 0;
  /** Where the paragraph begins that goes on here; 0 for none. */
  let paragraph = 0;
  for (let line = frontMatterEnd(source) + 1; line <= source.lines; line++) {
    const text = lineOf(source, line);
    if (isComment || fence !== '') {
      if (isComment ? text.includes('-->') : closes(text, fence)) [isComment, fence] = [false, ''];
      continue;
    }
    if (html !== null) {
      if (html.test(text)) html = null;
      continue;
    }
    const item = /^( {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+)\S/.exec(text)?.[1];
    if (item !== undefined) inItem = item.length;
    else if (/^ {0,1}\S/.test(text)) inItem = 0;
    const opening = FENCE.exec(text);
    if (opening?.[1] && !(opening[1].startsWith('`') && opening[2]?.includes('`'))) {
      [fence, paragraph] = [opening[1], 0];
      continue;
    }
    if (/^ {0,3}<!--/.test(text) && !text.includes('-->')) {
      [isComment, paragraph] = [true, 0];
      continue;
    }
    const raw = RAW_BLOCK.exec(text)?.[1];
    if (raw !== undefined || HTML_BLOCK.test(text)) {
      paragraph = 0;
      html = raw === undefined ? /^\s*$/ : new RegExp(`</${raw}>`, 'i');
      if (raw !== undefined && html.test(text)) html = null;
      continue;
    }
    if (inItem > 0 && item === undefined && text.trim() !== '' && text.search(/\S/) >= inItem) {
      paragraph = -1;
      continue;
    }
    const atx = ATX.exec(text);
    if (atx?.[1]) {
      found.push({ level: atx[1].length, title: /^#+$/.test(atx[2] ?? '') ? '' : (atx[2] ?? '').trim(), line });
      paragraph = 0;
    } else if (paragraph > 0 && UNDERLINE.test(text)) {
      found.push({ level: text.includes('=') ? 1 : 2, title: titleOf(source, paragraph, line - 1), line: paragraph });
      paragraph = 0;
    } else if (text.trim() === '') paragraph = 0;
    else if (paragraph === 0) paragraph = NO_PARAGRAPH.test(text) ? -1 : line;
    else if (NO_PARAGRAPH.test(text) && !/^(\t| {4,})/.test(text)) paragraph = -1;
  }
  return found.filter(({ title }) => title !== '');
}

/** Last line of the front matter; 0 where there is none. */
export function frontMatterEnd(source: SourceText): number {
  const fence = lineOf(source, 1).replace('\uFEFF', '').trimEnd();
  if (fence !== '---' && fence !== '+++') return 0;
  for (let line = 2; line <= Math.min(source.lines, 500); line++) {
    const text = lineOf(source, line).trimEnd();
    if (text === fence || (fence === '---' && text === '...')) return line;
  }
  return 0;
}

const closes = (text: string, fence: string): boolean => {
  const mark = text.trim();
  return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length);
};

const lineOf = (source: SourceText, line: number): string =>
  source.content.slice(source.startOf(line), source.endOf(line));

function titleOf(source: SourceText, first: number, last: number): string {
  return source.content.slice(source.startOf(first), source.endOf(last)).trim().replaceAll(/\s+/g, ' ');
}
