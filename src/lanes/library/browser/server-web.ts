/** The network for tools of a run in a browser: through the catalog server, as far as that lets it. */
import { createJsonCall } from '#adapters/http/json-call.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { WebPort } from '#lanes/library/core/ask/tools/context.ts';
import { PageSchema, WebAccessSchema } from '#lanes/library/core/web-pages.ts';

/** Milliseconds: the server itself gives up a page after 15 s. */
const PATIENCE = { ask: 5_000, page: 20_000 };

/** Null where the server is away, or asks nobody. */
export async function serverWeb(options: HttpOptions): Promise<WebPort | null> {
  const call = createJsonCall(options);
  const access = await call('GET', '/v1/tools/web', WebAccessSchema, undefined, { timeoutMs: PATIENCE.ask });
  if (!access.ok || access.value.allow.length === 0) return null;
  const { allow, engine } = access.value;
  return {
    allow,
    ...(engine === null ? {} : { engine }),
    async fetch(url, lists, signal) {
      const stop = new AbortController();
      const end = (): void => stop.abort();
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
      const lent = { timeoutMs: PATIENCE.page, signal: stop.signal };
      const page = await call(
        'POST',
        '/v1/tools/fetch',
        PageSchema,
        { url, lists: lists.map((one) => [...one]) },
        lent,
      );
      signal?.removeEventListener('abort', end);
      return page;
    },
  };
}
