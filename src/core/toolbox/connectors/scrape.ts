/** `scrape`: a page of the web as text, tables and links, as far as its robots.txt lets programs read it. */
import * as v from 'valibot';
import { failed } from '../../errors.ts';
import { visibleText } from '../../text/visible-text.ts';
import { connectorTool } from './connector-tool.ts';
import { readPage } from './html-page.ts';
import { USUAL_CONNECTOR } from './net.ts';

const MAIN_LEAST = 200;

const InputSchema = v.strictObject({
  url: v.pipe(v.string(), v.regex(/^https:\/\//, 'must begin with https://'), v.maxLength(2000, 'is too long')),
  what: v.exactOptional(v.picklist(['all', 'text', 'tables', 'links'], 'must be all, text, tables or links')),
});

export const scrape = connectorTool<v.InferOutput<typeof InputSchema>>({
  connector: {
    ...USUAL_CONNECTOR,
    ...{ name: 'scrape', hosts: null, licence: 'as the page says', attribution: 'the page', robots: true },
    ...{ everyMs: 1000, bytes: 2 * 1024 * 1024, timeMs: 30_000 },
  },
  description:
    'A page of the web (url): its title, text, tables and links (what: all, text, tables, links). Its robots.txt is kept.',
  input: InputSchema,
  output: { title: v.string() },
  example: { url: 'https://en.wikipedia.org/wiki/Iris_flower_data_set', what: 'tables' },
  async read({ url, what = 'all' }, ask) {
    const answer = await ask.bytes(url, 'text/html, application/xhtml+xml, text/plain;q=0.8');
    if (!/html|text\/plain/.test(answer.type))
      throw failed('tool_refused', `scrape: ${url}: is no page (${answer.type}).`, { subject: 'url' });
    return pageOf(answer.text(), answer.url, what, answer.type === 'text/plain');
  },
});

/** The part of a page that is read where it names it: `main`, or `article`. */
const MAIN = /<(main|article)\b[^>]*>([^]*?)<\/\1\s*>/i;

export function pageOf(html: string, base: string, what: string, plain: boolean): Record<string, unknown> {
  if (plain) return { title: '', text: html };
  const [, , main = ''] = MAIN.exec(html) ?? [];
  const whole = visibleText(html);
  const inner = main === '' ? null : visibleText(main);
  const length = (inner?.blocks ?? []).reduce((sum, { text }) => sum + text.length, 0);
  const blocks = inner !== null && length >= MAIN_LEAST ? inner.blocks : whole.blocks;
  const { tables, links } = readPage(html, base);
  const all = what === 'all';
  return {
    title: whole.title,
    ...(all || what === 'text'
      ? { text: blocks.map(({ level, text }) => `${level > 0 ? `${'#'.repeat(level)} ` : ''}${text}`).join('\n') }
      : {}),
    ...(all || what === 'tables' ? { tables } : {}),
    ...(all || what === 'links' ? { links } : {}),
  };
}
