/** `wikipedia`: search, summary, text by heading and tables of an article; the revision that was read is part of the answer. */
import * as v from 'valibot';
import { isRecord } from '../../agent/tools/tool.ts';
import { failed } from '../../errors.ts';
import { visibleText } from '../../text/visible-text.ts';
import { fault } from '../fields.ts';
import type { Output } from '../tool.ts';
import { connectorTool, type Asking } from './connector-tool.ts';
import { readPage } from './html-page.ts';
import { USUAL_CONNECTOR } from './net.ts';

const InputSchema = v.strictObject({
  what: v.picklist(['search', 'summary', 'text', 'tables'], 'must be search, summary, text or tables'),
  query: v.exactOptional(v.pipe(v.string(), v.trim(), v.nonEmpty('is empty'), v.maxLength(300, 'is too long'))),
  title: v.exactOptional(v.pipe(v.string(), v.trim(), v.nonEmpty('is empty'), v.maxLength(300, 'is too long'))),
  language: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(14, 'is too long'),
      v.regex(/^[a-z]{2,3}(?:-[a-z]{2,10})?$/, 'must be like en or zh-yue'),
    ),
  ),
  limit: v.exactOptional(v.pipe(v.number('must be a number'), v.integer('must be whole'), v.minValue(1, 'must be 1 to 50'), v.maxValue(50, 'must be 1 to 50'))), // prettier-ignore
});
type Input = v.InferOutput<typeof InputSchema>;

export const wikipedia = connectorTool<Input>({
  connector: {
    ...USUAL_CONNECTOR,
    name: 'wikipedia',
    hosts: ['*.wikipedia.org'],
    licence: 'CC BY-SA 4.0',
    attribution: 'Wikipedia contributors',
    direct: true,
  },
  description:
    'Wikipedia: what search (query), summary, text (by heading) or tables (title) of an article; language (en). Answers carry the revision.',
  input: InputSchema,
  output: {},
  example: { what: 'summary', title: 'Analysis of variance' },
  check({ what, query, title }) {
    if (what === 'search') return query === undefined ? fault('query', 'is missing') : null;
    return title === undefined ? fault('title', 'is missing') : null;
  },
  read: (input, ask) => (input.what === 'search' ? search(input, ask) : article(input, ask)),
});

/** `origin=*`: the same address is asked by pages, too. */
function addressOf({ language = 'en' }: Input, fields: Readonly<Record<string, string | number>>): string {
  const query = Object.entries({ ...fields, format: 'json', formatversion: 2, origin: '*' });
  return `https://${language}.wikipedia.org/w/api.php?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

async function asked(
  input: Input,
  ask: Asking,
  fields: Record<string, string | number>,
): Promise<Record<string, unknown>> {
  const answer = await ask.json(addressOf(input, fields));
  const { error } = isRecord(answer) ? answer : {};
  if (isRecord(error)) {
    const said = String(error['info'] ?? error['code']);
    if (error['code'] === 'missingtitle') throw missing(input);
    throw failed('tool_unavailable', `wikipedia: ${said}`);
  }
  const part = isRecord(answer) ? (answer['query'] ?? answer['parse']) : null;
  if (!isRecord(part)) throw failed('tool_unavailable', 'wikipedia: the answer has another form than before.');
  return part;
}

const missing = ({ title = '' }: Input): Error =>
  failed('tool_input', `wikipedia: title: there is no article "${title}"`, { subject: 'title' });

async function search(input: Input, ask: Asking): Promise<Output> {
  const { search: found } = await asked(input, ask, {
    ...{ action: 'query', list: 'search', srsearch: input.query ?? '', srlimit: input.limit ?? 10 },
  });
  const rows = (Array.isArray(found) ? found : []).filter(isRecord);
  return {
    columns: ['title', 'page_id', 'words', 'changed', 'snippet'],
    types: ['VARCHAR', 'BIGINT', 'BIGINT', 'VARCHAR', 'VARCHAR'],
    rows: rows.map((row) => [row['title'], row['pageid'], row['wordcount'], row['timestamp'], plainOf(row['snippet'])]),
    ...{ total: rows.length, truncated: false },
  };
}

async function article(input: Input, ask: Asking): Promise<Output> {
  if (input.what === 'tables') return tables(input, ask);
  const { pages } = await asked(input, ask, {
    ...{ action: 'query', prop: 'extracts|info|revisions', titles: input.title ?? '', redirects: 1, inprop: 'url' },
    ...{ rvprop: 'ids|timestamp', explaintext: 1, exsectionformat: 'wiki' },
    ...(input.what === 'summary' ? { exintro: 1 } : {}),
  });
  const page: unknown = Array.isArray(pages) ? pages[0] : null;
  if (!isRecord(page) || page['missing'] === true || page['invalid'] === true) throw missing(input);
  const [revision] = Array.isArray(page['revisions']) ? (page['revisions'] as unknown[]) : [];
  const head = {
    ...{ title: page['title'], page_id: page['pageid'], address: page['canonicalurl'] ?? page['fullurl'] ?? null },
    revision: isRecord(revision) ? revision['revid'] : null,
    changed: isRecord(revision) ? revision['timestamp'] : null,
  };
  const text = typeof page['extract'] === 'string' ? page['extract'].trim() : '';
  return input.what === 'summary' ? { ...head, text } : { ...head, sections: sectionsOf(text) };
}

/** `== History ==` begins a section of level 2; what stands before the first is of level 1. */
function sectionsOf(text: string): { heading: string; level: number; text: string }[] {
  const sections = [{ heading: '', level: 1, text: '' }];
  for (const line of text.split('\n')) {
    const [, marks, heading] = /^(={2,6})\s*(.+?)\s*\1$/.exec(line.trim()) ?? [];
    const last = sections.at(-1);
    if (marks !== undefined && heading !== undefined) sections.push({ heading, level: marks.length, text: '' });
    else if (last !== undefined) last.text += `${line}\n`;
  }
  return sections
    .map((one) => ({ ...one, text: one.text.trim() }))
    .filter(({ heading, text: said }) => heading !== '' || said !== '');
}

async function tables(input: Input, ask: Asking): Promise<Output> {
  const { title, pageid, revid, text } = await asked(input, ask, {
    ...{ action: 'parse', page: input.title ?? '', prop: 'text|revid', redirects: 1 },
    ...{ disableeditsection: 1, disabletoc: 1 },
  });
  const page = readPage(typeof text === 'string' ? text : '', `https://${input.language ?? 'en'}.wikipedia.org/wiki/`);
  return { title, page_id: pageid, revision: revid, tables: page.tables };
}

const plainOf = (html: unknown): string =>
  typeof html === 'string' ? visibleText(html).blocks.map(({ text }) => text).join(' ') : ''; // prettier-ignore
