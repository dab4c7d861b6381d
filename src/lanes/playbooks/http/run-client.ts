/** What a worker asks of the server about runs of playbooks. No method throws. */
import * as v from 'valibot';
import { addressOf, createJsonCall, withQuery } from '#adapters/http/json-call.ts';
import { failureOfThrown } from '#adapters/http/failures.ts';
import { createSend, resolveBase, type HttpOptions } from '#adapters/http/request.ts';
import { fail, ok, type Result } from '#core/result.ts';
import {
  FileFoundSchema,
  HeardSchema,
  RunFilesSchema,
  TakenRunSchema,
  type SaidEnd,
  type TakenRun,
} from '../core/shared/run-protocol.ts';

const CLAIMS = '/v1/playbooks/claims';
/** Of a whole journal or a large file. */
const LONG_MS = 600_000;

export type RunClient = ReturnType<typeof createRunClient>;

export function createRunClient(options: HttpOptions) {
  const call = createJsonCall(options);
  const send = createSend(options);
  const base = resolveBase(options.baseUrl);
  return {
    /** The oldest run that wants a worker, or null. */
    async take(worker: string, tools: boolean): Promise<Result<TakenRun | null>> {
      const answer = await call('POST', CLAIMS, TakenRunSchema, { worker, tools });
      return answer.ok ? ok(answer.value.run) : answer;
    },
    /** `reuse`: of the run whose units it takes over. */
    async journal(lease: string, reuse: boolean): Promise<Result<string>> {
      const path = withQuery(addressOf(CLAIMS, lease, '/journal'), { reuse: reuse ? true : null });
      const answer = await send({ method: 'GET', path, timeoutMs: LONG_MS });
      if (!answer.ok) return answer;
      return answer.value.text().then(ok, (error: unknown) => fail(failureOfThrown(error, base, LONG_MS)));
    },
    files: (lease: string) => call('GET', addressOf(CLAIMS, lease, '/files'), RunFilesSchema),
    file: (lease: string, path: string) =>
      call('GET', withQuery(addressOf(CLAIMS, lease, '/file'), { path }), FileFoundSchema, undefined, {
        timeoutMs: LONG_MS,
      }),
    putFile: (lease: string, part: { path: string; part: number; texts: string[] }) =>
      call('PUT', addressOf(CLAIMS, lease, '/file'), HeardSchema, part, { timeoutMs: LONG_MS }),
    putLines: (lease: string, lines: { n: number; texts: string[] }) =>
      call('POST', addressOf(CLAIMS, lease, '/lines'), HeardSchema, lines, { timeoutMs: LONG_MS }),
    renew: (lease: string) => call('POST', addressOf(CLAIMS, lease, '/renew'), HeardSchema, {}),
    end: (lease: string, end: SaidEnd) =>
      call('POST', addressOf(CLAIMS, lease, '/end'), v.null(), end, { timeoutMs: LONG_MS }),
    giveBack: (lease: string) => call('DELETE', addressOf(CLAIMS, lease), v.null()),
  };
}
