/** Search engines that are asked for JSON: MediaWiki (as Wikipedia has it) and SearXNG. */
import * as v from 'valibot';
import { failed } from '#core/errors.ts';

export const ENGINES = ['mediawiki', 'searxng'] as const;

export interface SearchEngine {
  kind: (typeof ENGINES)[number];
  /** `https://en.wikipedia.org/w/api.php`, `https://search.example.org/search`. */
  url: string;
}

export const USUAL_ENGINE: SearchEngine = { kind: 'mediawiki', url: 'https://en.wikipedia.org/w/api.php' };

export interface Found {
  title: string;
  url: string;
  snippet: string;
}

const MediaWikiSchema = v.object({
  query: v.object({
    search: v.array(v.object({ title: v.string(), pageid: v.number(), snippet: v.optional(v.string(), '') })),
  }),
});
const SearxSchema = v.object({
  results: v.array(v.object({ title: v.string(), url: v.string(), content: v.optional(v.nullable(v.string()), '') })),
});

export function searchAddress({ kind, url }: SearchEngine, query: string, count: number): string {
  const words = encodeURIComponent(query);
  return kind === 'mediawiki'
    ? `${url}?action=query&list=search&format=json&utf8=1&srlimit=${count}&srsearch=${words}`
    : `${url}?format=json&q=${words}`;
}

/** Throws AccessionError `invalid` where the answer is not what the engine gives. */
export function foundIn({ kind, url }: SearchEngine, text: string): Found[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw failed('invalid', 'The search engine did not answer with JSON.', { cause });
  }
  if (kind === 'mediawiki') {
    const read = v.safeParse(MediaWikiSchema, value);
    if (!read.success) throw otherwise();
    const pages = url.replace(/\/api\.php$/, '/index.php');
    return read.output.query.search.map(({ title, pageid, snippet }) => ({
      title,
      url: `${pages}?curid=${pageid}`,
      snippet: withoutTags(snippet),
    }));
  }
  const read = v.safeParse(SearxSchema, value);
  if (!read.success) throw otherwise();
  return read.output.results.map(({ title, url: page, content }) => ({
    title,
    url: page,
    snippet: withoutTags(content ?? ''),
  }));
}

const otherwise = (): Error => failed('invalid', 'The search engine answered in another form.');

const withoutTags = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
