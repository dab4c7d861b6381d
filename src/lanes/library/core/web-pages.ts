/** `POST /v1/tools/fetch`: a page of the web, asked for by the server for a run in a browser. */
import * as v from 'valibot';
import { PATTERN } from '#core/domains.ts';

const Pattern = v.pipe(v.string(), v.maxLength(253), v.regex(PATTERN, 'a domain or "*." and a domain'));

export const FetchPageSchema = v.strictObject({
  url: v.pipe(v.string(), v.regex(/^https:\/\//, 'only https is asked'), v.maxLength(4000)),
  /** Lists of patterns of hosts: each must let the host through. */
  lists: v.pipe(v.array(v.pipe(v.array(Pattern), v.maxLength(64))), v.minLength(1), v.maxLength(4)),
});

export const PageSchema = v.object({
  /** Behind all redirects. */
  url: v.string(),
  type: v.string(),
  text: v.string(),
});

export const WebAccessSchema = v.object({
  /** Patterns of hosts that the server asks; empty: none. */
  allow: v.array(v.string()),
  engine: v.nullable(v.object({ kind: v.picklist(['mediawiki', 'searxng']), url: v.string() })),
});
