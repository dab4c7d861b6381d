/**
 * `page_read`: saved pages as text, tables and links: a file of HTML, or an archive of HTTP (HAR) as browsers save them. Nothing of
 * it runs, and nothing that it names is asked for.
 */
import * as v from 'valibot';
import { isRecord } from '../agent/tools/tool.ts';
import { failed } from '../errors.ts';
import { decodeUtf8 } from '../utf8.ts';
import { fromBase64, isBase64 } from './base64.ts';
import { pageOf } from './connectors/scrape.ts';
import { bytesOf, fileInput } from './geo/bytes.ts';
import { wrong } from './geo/json-forms.ts';
import { toolboxTool } from './tool.ts';

const MOST_PAGES = 100;
const InputSchema = v.strictObject({
  file: fileInput,
  /** Where it was saved from: links of it become whole. */
  address: v.exactOptional(
    v.pipe(v.string(), v.regex(/^https?:\/\//, 'must be an address'), v.maxLength(2000, 'is too long')),
  ),
  what: v.exactOptional(v.picklist(['all', 'text', 'tables', 'links'], 'must be all, text, tables or links')),
});
type Input = v.InferOutput<typeof InputSchema>;

interface Saved {
  address: string;
  html: string;
}

export const pageRead = toolboxTool<Input>({
  name: 'page_read',
  description:
    'Reads a saved page (file: HTML, or a HAR of a browser; address): of each its title, text, tables and links (what: all, text, tables, links). Nothing is asked for.',
  runtime: 'none',
  input: InputSchema,
  output: v.looseObject({
    pages: v.array(v.looseObject({ address: v.string(), title: v.string() })),
    total: v.number(),
  }),
  example: {
    file: '<title>Irises</title><h1>Irises</h1><p>Fifty of each.</p><table><tr><th>kind</th><th>count</th></tr><tr><td>setosa</td><td>50</td></tr></table>',
    address: 'https://example.org/irises.html',
  },
  compute({ file, address = 'https://saved.invalid/', what = 'all' }) {
    const saved = pagesIn(decodeUtf8(bytesOf(file)).replace(/^\uFEFF/, ''), address);
    const pages = saved
      .slice(0, MOST_PAGES)
      .map((page) => ({ address: page.address, title: '', ...pageOf(page.html, page.address, what, false) }));
    return { pages, total: saved.length };
  },
});

function pagesIn(text: string, address: string): Saved[] {
  if (!/^\s*\{/.test(text)) {
    if (!/<\w/.test(text)) throw wrong('is neither HTML nor a HAR');
    return [{ address, html: text }];
  }
  let har: unknown;
  try {
    har = JSON.parse(text);
  } catch {
    throw wrong('is no HAR: no JSON');
  }
  const log = isRecord(har) ? har['log'] : null;
  const entries = isRecord(log) ? log['entries'] : null;
  if (!Array.isArray(entries)) throw wrong('is no HAR: it has no log.entries');
  const pages = entries.flatMap((entry: unknown) => savedIn(entry) ?? []);
  if (pages.length === 0)
    throw failed('tool_input', 'file: the HAR holds no page of HTML with its content', { subject: 'file' });
  return pages;
}

function savedIn(entry: unknown): Saved | null {
  if (!isRecord(entry) || !isRecord(entry['request']) || !isRecord(entry['response'])) return null;
  const { content } = entry['response'];
  const { url } = entry['request'];
  if (!isRecord(content) || typeof url !== 'string' || typeof content['text'] !== 'string') return null;
  if (!/html/i.test(String(content['mimeType']))) return null;
  const { text, encoding } = content;
  if (encoding !== 'base64') return { address: url, html: text };
  return isBase64(text) ? { address: url, html: decodeUtf8(fromBase64(text)) } : null;
}
