import { FetchPageSchema, PageSchema, WebAccessSchema } from '#lanes/library/core/web-pages.ts';
import type { Wire } from '#adapters/node/public-fetch.ts';
import { webFetch } from '#lanes/library/node/web-fetch.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import type { ToolsConfig } from '#server/config-file.ts';

/** Pages that are being fetched at one time, for all callers. */
const MOST_AT_ONCE = 8;

/** /v1/tools: the network for the tools of runs in browsers, as far as [tools] of accession.toml lets it. */
export function webRoutes({ allow, search }: ToolsConfig, wire?: Wire): Route[] {
  const web = webFetch({ allow: allow ?? [], ...(wire === undefined ? {} : { wire }) });
  let under = 0;
  return [
    route('GET /v1/tools/web', {
      scope: 'Work',
      tag: 'Library',
      summary: 'Which domains this server asks for the tools of a question.',
      replies: { 200: json(WebAccessSchema, 'Patterns of hosts, and the search engine.') },
      answer: (c) => c.json({ allow: [...(allow ?? [])], engine: search }),
    }),
    route('POST /v1/tools/fetch', {
      scope: 'Work',
      tag: 'Library',
      summary: 'The text of a page of the web, of a domain that [tools] of accession.toml lets through.',
      description:
        'https alone, at public addresses; redirects are checked as the first address is. Text up to 1 MB within 15 s. Nothing is kept.',
      idempotent: true,
      body: FetchPageSchema,
      maxBody: 64 * 1024,
      waitsElsewhere: true,
      replies: { 200: json(PageSchema, 'The page.') },
      failures: [403, 404, 413, 429, 502],
      async answer(c) {
        const { value } = await readBody(c, FetchPageSchema);
        if (under >= MOST_AT_ONCE)
          throw new HttpError('rate_limited', 'The server fetches other pages now.', {
            headers: { 'Retry-After': '2' },
          });
        under += 1;
        try {
          const page = await web.fetch(value.url, value.lists, c.req.raw.signal);
          if (page.ok) return c.json(page.value);
          throw ofFetch(page.failure.code, page.failure.message);
        } finally {
          under -= 1;
        }
      },
    }),
  ];
}

function ofFetch(code: string, message: string): HttpError {
  switch (code) {
    case 'tool_refused':
      return new HttpError('forbidden', message, {
        remedy: 'Who runs the server can add the domain to [tools] in accession.toml.',
      });
    case 'not_found':
      return new HttpError('not_found', message);
    case 'too_large':
      return new HttpError('too_large', message);
    default:
      return new HttpError('offline', message, { status: 502 });
  }
}
