/** `POST /v1/connectors/:name`: a source, asked by the server for a tool in a browser, which the source's host does not let ask. */
import * as v from 'valibot';
import { PATTERN } from '#core/domains.ts';

const Pattern = v.pipe(v.string(), v.maxLength(253), v.regex(PATTERN, 'a domain or "*." and a domain'));
/** https, without a port or a password (core/domains.ts `plainHost`). */
const ADDRESS = /^https:\/\/[a-z0-9.-]+(?:[/?#].*)?$/i;

export const AskSourceSchema = v.strictObject({
  url: v.pipe(v.string(), v.maxLength(4000), v.regex(ADDRESS, 'a plain https address')),
  accept: v.pipe(v.string(), v.regex(/^[\w/+.*;=, -]{1,200}$/, 'content types')),
  /** Of the step or the question; null: a person asks. */
  domains: v.nullable(v.pipe(v.array(Pattern), v.maxLength(64))),
});

export const SourceAnswerSchema = v.variant('outcome', [
  v.object({
    ...{ outcome: v.literal('answered'), url: v.string(), type: v.string(), charset: v.string(), at: v.number() },
    /** Base64. */
    body: v.string(),
  }),
  v.object({
    outcome: v.literal('failed'),
    code: v.picklist(['tool_refused', 'tool_limit', 'tool_timeout', 'tool_unavailable', 'rate_limited', 'offline']),
    message: v.string(),
    remedy: v.string(),
    retry_after_ms: v.nullable(v.number()),
  }),
]);
export type SourceAnswer = v.InferOutput<typeof SourceAnswerSchema>;

export const ConnectorsSchema = v.object({
  /** Names of those that this server asks. */
  names: v.array(v.string()),
  /** Patterns of hosts that connectors without hosts of their own may ask. */
  allow: v.array(v.string()),
  /** Texts of those that its operator declared, without how their secrets are sent. */
  declared: v.array(v.string()),
});
