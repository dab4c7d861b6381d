import * as v from 'valibot';
import { json, isSchema, route, type Route, type RouteSpec } from './route.ts';
import { failuresOf, openApi } from './openapi.ts';

/** Nothing of the page runs, and nothing is loaded from anywhere. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** GET /v1/openapi.json and GET /v1/docs, made of the table itself when they are first asked for. */
export function docsRoutes(version: string, specs: () => readonly RouteSpec[]): Route[] {
  let document: object | null = null;
  let page: string | null = null;
  return [
    route('GET /v1/openapi.json', {
      scope: null,
      tag: 'Service',
      summary: 'This API as an OpenAPI 3.1 document.',
      replies: { 200: json(v.looseObject({ openapi: v.string() }), 'The document.') },
      answer(c) {
        document ??= openApi(specs(), version);
        c.header('Cache-Control', 'no-cache');
        return c.json(document);
      },
    }),
    route('GET /v1/docs', {
      scope: null,
      tag: 'Service',
      summary: 'This API as a page to read.',
      replies: { 200: { description: 'The page.', type: 'text/html' } },
      answer(c) {
        page ??= docsPage(specs(), version);
        c.header('Content-Security-Policy', POLICY);
        c.header('Cache-Control', 'no-cache');
        return c.html(page);
      },
    }),
  ];
}

/* The page is one file, without a script and with nothing from another address. */

export function docsPage(specs: readonly RouteSpec[], version: string): string {
  const tags = [...new Set(specs.map((spec) => spec.tag))];
  const chapters = tags.map((tag) =>
    chapter(
      tag,
      specs.filter((spec) => spec.tag === tag),
    ),
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Accession API</title>
<style>${STYLE}</style>
<h1>Accession API <small>${text(version)}</small></h1>
<p>Requests carry <code>Authorization: Bearer TOKEN</code>. A changing request may carry <code>Idempotency-Key</code>:
sent again under the same key it is answered as before and changes nothing. A failure is
<code>{ "error": { "code", "message", "remedy" } }</code>. The same as a document for programs:
<a href="openapi.json">openapi.json</a>.</p>
<nav>${tags.map((tag) => `<a href="#${text(tag)}">${text(tag)}</a>`).join(' ')}</nav>
${chapters.join('\n')}
</html>
`;
}

function chapter(tag: string, specs: readonly RouteSpec[]): string {
  return `<h2 id="${text(tag)}">${text(tag)}</h2>\n${specs.map(entry).join('\n')}`;
}

function entry(spec: RouteSpec): string {
  const facts = [
    spec.scope === null ? 'open to anyone' : `needs <b>${spec.scope}</b>`,
    ...(spec.idempotent === true ? ['may be sent again'] : []),
    ...(spec.idempotent === 'key' ? ['may be sent again under its key'] : []),
  ];
  const query = Object.entries(spec.query ?? {}).map(([name, field]) => [name, field.description] as const);
  const headers = Object.entries(spec.headers ?? {});
  const answers = Object.entries(spec.replies).map(([status, reply]) => [status, reply.description] as const);
  return `<section>
<h3><span>${spec.method}</span> <code>${text(spec.path)}</code></h3>
<p>${text(spec.summary)}${spec.description === undefined ? '' : ` ${text(spec.description)}`}</p>
<p class="facts">${facts.join(' · ')}</p>
${list('Query', query)}${list('Headers', headers)}${bodyLine(spec)}${list('Answers', answers)}
<p class="facts">Failures: ${failuresOf(spec).join(', ')}</p>
</section>`;
}

function bodyLine({ body }: RouteSpec): string {
  if (body === undefined) return '';
  if (!isSchema(body)) return list('Body', [[body.type, body.description]]);
  const fields = 'entries' in body && typeof body.entries === 'object' ? Object.keys(body.entries ?? {}) : [];
  const names = fields.map((name) => `<code>${text(name)}</code>`).join(', ');
  return `<p>JSON body${names === '' ? '' : `: ${names}`}</p>\n`;
}

function list(title: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return '';
  const items = rows.map(([name, what]) => `<dt><code>${text(name)}</code></dt><dd>${text(what)}</dd>`);
  return `<h4>${title}</h4><dl>${items.join('')}</dl>\n`;
}

function text(value: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return value.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 48rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 small { font-weight: 400; opacity: .6; font-size: .5em; }
h2 { margin: 2.5rem 0 .5rem; border-bottom: 1px solid; }
h3 { margin: 1.5rem 0 .25rem; font-size: 1.05rem; overflow-wrap: anywhere; }
h3 span { display: inline-block; min-width: 3.6rem; }
h4 { margin: .5rem 0 0; font-size: .85rem; }
p { margin: .25rem 0; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: 0 1rem; margin: 0; }
dd { margin: 0; }
.facts { opacity: .7; font-size: .9rem; }
nav a { margin-right: .75rem; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin: 0 0 .25rem 1rem; } }
`;
