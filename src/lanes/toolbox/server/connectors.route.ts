import { CONNECTORS } from '#core/toolbox/connectors/connectors.ts';
import type { Connector, Net } from '#core/toolbox/connectors/net.ts';
import {
  AskSourceSchema,
  ConnectorsSchema,
  SourceAnswerSchema,
  type SourceAnswer,
} from '#core/toolbox/connectors/relay.ts';
import { toBase64 } from '#core/toolbox/base64.ts';
import type { DeclaredSource } from '#lanes/toolbox/node/sources.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import type { ServerDeps } from '#server/lane-server.ts';
import { createLimit, refuseOver } from '#server/rates/limits.ts';

/** Questions under way at one time, for all callers. */
const MOST_AT_ONCE = 16;

export interface ConnectorsOptions {
  /** Names of connectors that are asked; null: all that there are. */
  sources: readonly string[] | null;
  /** Patterns of hosts for connectors without hosts of their own; null: none. */
  allow: readonly string[] | null;
  declared: readonly DeclaredSource[];
  /** Null: the server is not open, its routes alone are wanted. */
  net: Net | null;
  /** Of one person, a minute. */
  perMinute?: number;
}

/** /v1/connectors: sources for tools in browsers, which their hosts do not let ask. */
export function connectorRoutes(
  { clock, store }: Pick<ServerDeps, 'clock' | 'store'>,
  { sources, allow, declared, net, perMinute = 60 }: ConnectorsOptions,
): Route[] {
  const all: Connector[] = [...CONNECTORS, ...declared].map(({ connector }) => connector);
  const asked = all.filter(({ name }) => sources === null || sources.includes(name));
  const limit = createLimit(store, {
    ...{ name: 'sources', most: perMinute, windowMs: 60_000, block: 5 },
    sentence: 'You have asked as many sources through this server as one person may within a minute.',
  });
  let under = 0;
  return [
    route('GET /v1/connectors', {
      scope: 'EditCatalog',
      tag: 'Tools',
      summary: 'Which sources this server asks for tools, and those that its operator declared.',
      replies: { 200: json(ConnectorsSchema, 'Names, domains, declarations without their secrets.') },
      answer: (c) =>
        c.json({
          names: asked.map(({ name }) => name),
          allow: [...(allow ?? [])],
          declared: declared.filter(({ connector }) => asked.includes(connector)).map(({ text }) => text),
        }),
    }),
    route('POST /v1/connectors/:name', {
      scope: 'EditCatalog',
      tag: 'Tools',
      summary: 'What a source answers, as it came, asked in the name of a connector.',
      description:
        "https at public addresses of the hosts of the connector (of [tools] in accession.toml, where it has none of its own) that the request lets through, too; redirects are checked as the first address is. Its bytes, time, pace and secret are the connector's. Nothing is kept.",
      idempotent: true,
      body: AskSourceSchema,
      maxBody: 64 * 1024,
      waitsElsewhere: true,
      replies: { 200: json(SourceAnswerSchema, "The source's answer, or why there is none.") },
      failures: [403, 404, 429],
      async answer(c) {
        const { value } = await readBody(c, AskSourceSchema);
        const name = c.req.param('name');
        const connector = all.find((one) => one.name === name);
        if (connector === undefined) throw new HttpError('not_found', 'There is no such connector.');
        if (net === null || !asked.includes(connector))
          throw new HttpError('forbidden', `This server does not ask ${name}.`, {
            remedy: 'Who runs it can add the source to [toolbox] in accession.toml.',
          });
        await refuseOver(limit, c.var.principal.user_id, clock.now());
        if (under >= MOST_AT_ONCE)
          throw new HttpError('rate_limited', 'The server asks other sources now.', {
            headers: { 'Retry-After': '2' },
          });
        under += 1;
        try {
          return c.json(await answerOf(net, { connector, ...value }, c.req.raw.signal));
        } finally {
          under -= 1;
        }
      },
    }),
  ];
}

async function answerOf(net: Net, asked: Parameters<Net['ask']>[0], signal: AbortSignal): Promise<SourceAnswer> {
  const answered = await net.ask(asked, signal);
  if (answered.ok) {
    const { url, type, charset, at, bytes } = answered.value;
    return { outcome: 'answered', url, type, charset, at, body: toBase64(bytes) };
  }
  const { code, message, remedy, retryAfterMs = null } = answered.failure;
  return { outcome: 'failed', code: codeOf(code), message, remedy, retry_after_ms: retryAfterMs };
}

type Refusal = Extract<SourceAnswer, { outcome: 'failed' }>['code'];
const CODES: readonly string[] = ['tool_refused', 'tool_limit', 'tool_timeout', 'tool_unavailable', 'rate_limited'] satisfies Refusal[]; // prettier-ignore
const codeOf = (code: string): Refusal => (CODES.includes(code) ? (code as Refusal) : 'offline');
