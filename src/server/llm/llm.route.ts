import {
  CHAT_TYPE,
  ChatRequestSchema,
  EmbedAnswerSchema,
  EmbedRequestSchema,
  LendRequestSchema,
  MAX_CHAT_BYTES,
  ModelsAnswerSchema,
} from '#core/agent/llm/wire.ts';
import type { Failure } from '#core/errors.ts';
import { json, route, type Route } from '../api/route.ts';
import type { CatalogDeps } from '../deps.ts';
import { readBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { mutate } from '../http/mutate.ts';
import type { Broker } from './broker.ts';
import { writeLend } from './lend.ts';
import type { Limits } from './usage-limits.ts';

/** /v1/llm: the model of this server, for its users. 404 where none is set up. */
export function llmRoutes(
  deps: Pick<CatalogDeps, 'broker' | 'brokerOff' | 'store' | 'clock' | 'ids' | 'events'>,
): Route[] {
  const { broker, brokerOff, clock } = deps;
  return [
    route('GET /v1/llm/models', {
      scope: 'Work',
      tag: 'Model',
      summary: 'The models of this server that may be used.',
      replies: { 200: json(ModelsAnswerSchema, 'The first one is used.') },
      failures: [404],
      async answer(c) {
        c.header('Cache-Control', 'no-store');
        return c.json(await present(broker, brokerOff).models());
      },
    }),
    route('PUT /v1/llm/lend', {
      scope: 'Admin',
      tag: 'Model',
      summary: 'To whom the model of this server is lent.',
      description:
        '`ask`: a workstation without a model asks its person once. `all`: it uses this one, unless its person said no. Goes before `[agent] lend` of accession.toml.',
      body: LendRequestSchema,
      replies: { 200: json(LendRequestSchema, 'As it is now.') },
      idempotent: true,
      answer: (c) =>
        mutate(c, deps, LendRequestSchema, 'AccessChanged', async (tx, body, by) => {
          await writeLend(tx, by.user_id, body.lend, clock.now());
          return { status: 200, body };
        }),
    }),
    route('POST /v1/llm/chat', {
      scope: 'Work',
      tag: 'Model',
      summary: 'Ask the model of this server.',
      description: 'Lines of JSON: `text` while it writes, then one `done` or `failed`. Nothing is changed here.',
      body: ChatRequestSchema,
      maxBody: MAX_CHAT_BYTES,
      waitsElsewhere: true,
      replies: { 200: { description: 'The lines.', type: CHAT_TYPE } },
      failures: [404, 413],
      idempotent: false,
      async answer(c) {
        const model = present(broker, brokerOff);
        const { value } = await readBody(c, ChatRequestSchema);
        const opened = await model.open(c.get('principal').user_id, value);
        if (!opened.ok) throw tooOften(opened);
        // No proxy may gather the lines: each is shown as it comes.
        return c.body(opened.body, 200, {
          'Content-Type': `${CHAT_TYPE}; charset=utf-8`,
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        });
      },
    }),
    route('POST /v1/llm/embed', {
      scope: 'Work',
      tag: 'Model',
      summary: 'Vectors of texts, by the model of this server that makes them.',
      description:
        'For search by meaning. 404 where accession.toml names no `embedding_model`. Nothing is changed here.',
      body: EmbedRequestSchema,
      maxBody: MAX_CHAT_BYTES,
      waitsElsewhere: true,
      replies: { 200: json(EmbedAnswerSchema, 'A vector of length 1 for each text, in their order.') },
      failures: [404, 413, 502],
      idempotent: false,
      async answer(c) {
        const model = present(broker, brokerOff);
        const { value } = await readBody(c, EmbedRequestSchema);
        const asked = await model.embed(c.get('principal').user_id, value.texts, c.req.raw.signal);
        if (asked === null)
          throw new HttpError('not_found', 'No model for vectors is set up on this server.', {
            remedy: 'Ask the administrator to name an "embedding_model" in [agent.llm] of accession.toml.',
          });
        if (!asked.ok) throw tooOften(asked);
        if (!asked.result.ok) throw ofUpstream(asked.result.failure);
        c.header('Cache-Control', 'no-store');
        return c.json(asked.result.value);
      },
    }),
  ];
}

/** What the model's server failed with is no fault of this one. */
function ofUpstream({ code, message, remedy, retryAfterMs }: Failure): HttpError {
  const wait = retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
  return new HttpError(code, message, { remedy, status: code === 'rate_limited' ? 429 : 502, headers: wait });
}

function tooOften({ limit, retryAfterMs }: { limit: keyof Limits; retryAfterMs: number }): HttpError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new HttpError('rate_limited', SENTENCE[limit], { headers: { 'Retry-After': String(seconds) } });
}

const SENTENCE: Record<keyof Limits, string> = {
  requests_per_minute: 'You have asked the model of this server as often as one user may within a minute.',
  tokens_per_day: 'You have used up the tokens that one user may take of the model of this server within a day.',
};

function present(broker: Broker | null, isOff = false): Broker {
  if (broker !== null) return broker;
  const why = isOff ? 'its accession.toml says [agent] enabled = false' : 'it has no [agent] in its accession.toml';
  throw new HttpError('not_found', `No model is set up on this server: ${why}.`, {
    remedy: 'Ask the administrator to set it up, or choose another model in Settings, Model.',
  });
}
