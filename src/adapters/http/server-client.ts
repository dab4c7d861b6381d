/** What every lane asks of the catalog server. A lane's own routes are in its `http/`. */
import * as v from 'valibot';
import { randomIds } from '#core/ids.ts';
import type { Ids } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { listOf } from '#core/sync/fields.ts';
import { MeSchema } from '#core/sync/people.ts';
import {
  CommitResponseSchema,
  HealthSchema,
  JobAnswerSchema,
  MirroredJobSchema,
  MirroredReviewSchema,
  MirrorKnownSchema,
  MirrorResponseSchema,
  SignResponseSchema,
  type CommitRequest,
  type MirrorRequest,
  type ReviewAnswerRequestSchema,
} from '#core/sync/protocol.ts';
import { unreadable } from './failures.ts';
import { addressOf, createJsonCall, withQuery } from './json-call.ts';
import { resolveBase, type HttpOptions } from './request.ts';

export interface ServerClientOptions extends HttpOptions {
  /** For the `Idempotency-Key` of a POST whose caller gave none. */
  ids?: Ids;
}

/** Which page of a list. */
export interface Page {
  cursor?: string | null;
  limit?: number;
}

const JOBS = '/v1/ingestion/jobs';

export type ServerClient = ReturnType<typeof createServerClient>;

/** A client of one server. No method throws; `signal` ends a call with the failure `cancelled`. */
export function createServerClient(options: ServerClientOptions) {
  const call = createJsonCall(options);
  const ids = options.ids ?? randomIds;
  const sign = (path: string) => call('POST', '/v1/sign', SignResponseSchema, { path }, { key: ids.next() });

  return {
    health: () => call('GET', '/health', HealthSchema, undefined, { open: true, timeoutMs: 5_000 }),

    /** GET /v1/config as it came (core/agent/llm/wire.ts `ServerDefaultsSchema`, which the page need not load). */
    config: (signal?: AbortSignal) => call('GET', '/v1/config', v.unknown(), undefined, { signal }),

    /** Whose token this is, and what it may do. */
    me: (signal?: AbortSignal) => call('GET', '/v1/me', MeSchema, undefined, { signal }),

    /** The server hashes the whole file before it answers, hence the long limit. */
    commit: (body: CommitRequest, key: string, signal?: AbortSignal) =>
      call('POST', '/v1/ingestion/commits', CommitResponseSchema, body, { key, signal, timeoutMs: 120_000 }),
    jobs: (page: Page & { status?: string; parent_job_id?: string; batch_id?: string } = {}) =>
      call('GET', withQuery(JOBS, { ...page }), listOf(MirroredJobSchema)),
    job: (id: string) => call('GET', addressOf(JOBS, id), JobAnswerSchema),
    /** Ends a job wherever it is worked on; `conflict` when it is finished. */
    cancelJob: (id: string) => call('DELETE', addressOf(JOBS, id), v.unknown()),
    reviews: (page: Page = {}) =>
      call('GET', withQuery('/v1/ingestion/review', { ...page }), listOf(MirroredReviewSchema)),
    /** Of a question that several files share, any of its jobs names it. `conflict` says who answered first, and what. */
    answerReview: (jobId: string, answer: v.InferInput<typeof ReviewAnswerRequestSchema>, key: string = ids.next()) =>
      call('POST', addressOf('/v1/ingestion/review', jobId), MirroredReviewSchema, answer, { key }),
    mirror: (body: MirrorRequest, signal?: AbortSignal) =>
      call('PUT', '/v1/ingestion/mirror', MirrorResponseSchema, body, { signal }),
    /** Whether the server still has the last report (`mark` of its answer). */
    knowsMirror: (mark: string, signal?: AbortSignal) =>
      call('GET', withQuery('/v1/ingestion/mirror', { after: mark }), MirrorKnownSchema, undefined, { signal }),

    sign,
    /** An absolute URL that works without a header until `expires_at`: for `<audio>` and the socket. */
    async signedUrl(path: string): Promise<Result<{ url: string; expires_at: number }>> {
      const answer = await sign(path);
      if (!answer.ok) return answer;
      const url = absolute(answer.value.url, resolveBase(options.baseUrl));
      return url === null ? fail(unreadable('/v1/sign')) : ok({ url, expires_at: answer.value.expires_at });
    },
  };
}

/** Signed for this server alone: a URL of another server is not one. */
function absolute(url: string, base: string): string | null {
  if (url.startsWith('/')) return `${base}${url}`;
  return URL.canParse(url) && new URL(url).origin === new URL(base).origin ? url : null;
}
