/** What a person asks of the server about runs of playbooks. No method throws. */
import { failureOfThrown } from '#adapters/http/failures.ts';
import { addressOf, createJsonCall, withQuery } from '#adapters/http/json-call.ts';
import { createSend, resolveBase, type HttpOptions } from '#adapters/http/request.ts';
import { fail, ok, type Result } from '#core/result.ts';
import {
  NothingSchema,
  RunFilesSchema,
  SharedRunSchema,
  SharedRunsSchema,
  type NewRun,
} from '../core/shared/run-protocol.ts';

const RUNS = '/v1/playbooks/runs';
/** Of a whole journal or a large file. */
const LONG_MS = 600_000;
/** Runs that are listed. */
const MOST = 100;

export type SharedRunClient = ReturnType<typeof createSharedRunClient>;

export function createSharedRunClient(options: HttpOptions) {
  const call = createJsonCall(options);
  const send = createSend(options);
  const base = resolveBase(options.baseUrl);
  async function text(path: string): Promise<Result<string>> {
    const answer = await send({ method: 'GET', path, timeoutMs: LONG_MS });
    if (!answer.ok) return answer;
    return answer.value.text().then(ok, (error: unknown) => fail(failureOfThrown(error, base, LONG_MS)));
  }
  return {
    list: () => call('GET', withQuery(RUNS, { limit: MOST }), SharedRunsSchema),
    one: (id: string) => call('GET', addressOf(RUNS, id), SharedRunSchema),
    journal: (id: string) => text(addressOf(RUNS, id, '/journal')),
    files: (id: string) => call('GET', addressOf(RUNS, id, '/files'), RunFilesSchema),
    file: (id: string, path: string) => text(withQuery(addressOf(RUNS, id, '/file'), { path })),
    /** `key`: sent again under it, it is begun once. */
    begin: (run: NewRun, key: string) => call('POST', RUNS, SharedRunSchema, run, { key, timeoutMs: LONG_MS }),
    cancel: (id: string) => call('POST', addressOf(RUNS, id, '/cancel'), SharedRunSchema, {}),
    resume: (id: string, limits: Record<string, number>) =>
      call('POST', addressOf(RUNS, id, '/resume'), SharedRunSchema, { limits }),
    remove: (id: string) => call('DELETE', addressOf(RUNS, id), NothingSchema, {}),
  };
}
