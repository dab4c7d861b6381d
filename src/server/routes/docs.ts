import * as v from 'valibot';
import { docsPage } from '../api/docs-page.ts';
import { json } from '../api/fields.ts';
import { openApi } from '../api/openapi.ts';
import { route, type Route, type RouteSpec } from '../api/route.ts';

/** Nothing of the page runs, and nothing is loaded from anywhere. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** GET /v1/openapi.json and GET /v1/docs, made of the table itself when they are first asked for. */
export function docsRoutes(version: string, specs: () => readonly RouteSpec[]): Route[] {
  let document: object | null = null;
  let page: string | null = null;
  return [
    route(
      {
        method: 'GET',
        path: '/v1/openapi.json',
        scope: null,
        tag: 'Service',
        summary: 'This API as an OpenAPI 3.1 document.',
        replies: { 200: json(v.looseObject({ openapi: v.string() }), 'The document.') },
        idempotent: true,
      },
      (c) => {
        document ??= openApi(specs(), version);
        c.header('Cache-Control', 'no-cache');
        return c.json(document);
      },
    ),
    route(
      {
        method: 'GET',
        path: '/v1/docs',
        scope: null,
        tag: 'Service',
        summary: 'This API as a page to read.',
        replies: { 200: { description: 'The page.', type: 'text/html' } },
        idempotent: true,
      },
      (c) => {
        page ??= docsPage(specs(), version);
        c.header('Content-Security-Policy', POLICY);
        c.header('Cache-Control', 'no-cache');
        return c.html(page);
      },
    ),
  ];
}
