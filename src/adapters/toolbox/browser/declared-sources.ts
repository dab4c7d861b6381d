/**
 * Connectors that the server's operator declared, as tools; the last list is kept for when there is no network. What makes
 * tools of them is loaded where some were declared: with the tools that it has to tell them from it is half a megabyte, of
 * which the service worker keeps a part only when it was used.
 */
import * as v from 'valibot';
import { createJsonCall } from '#adapters/http/json-call.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import { AccessionError } from '#core/errors.ts';
import type { ConnectorTool } from '#core/toolbox/connectors/connector-tool.ts';
import { ConnectorsSchema } from '#core/toolbox/connectors/relay.ts';
import { openCache } from './open-cache.ts';

const CACHE = 'declared-sources';
const PLACE = '/declared-sources';
const PATIENCE_MS = 5_000;

/**
 * None where there is no server or nobody is signed in.
 * @param server where it is and who asks; null: there is none, or nobody is signed in
 */
export async function declaredSources(server: () => Promise<HttpOptions | null>): Promise<ConnectorTool[]> {
  const options = await server();
  if (options === null) return [];
  const call = createJsonCall(options);
  const answer = await call('GET', '/v1/connectors', ConnectorsSchema, undefined, { timeoutMs: PATIENCE_MS });
  if (answer.ok) await keep(answer.value.declared);
  const texts = answer.ok ? answer.value.declared : await kept();
  return texts.length === 0 ? [] : toolsOf(texts);
}

async function toolsOf(texts: readonly string[]): Promise<ConnectorTool[]> {
  const [{ ALL_TOOLS }, { declaredTool, readDeclared }] = await Promise.all([
    import('#core/toolbox/all-tools.ts'),
    import('#core/toolbox/connectors/declared.ts'),
  ]);
  const tools = new Map<string, ConnectorTool>();
  for (const text of texts) {
    try {
      const tool = declaredTool(readDeclared(text, 'the server'));
      if (!ALL_TOOLS.some(({ name }) => name === tool.name) && !tools.has(tool.name)) tools.set(tool.name, tool);
    } catch (thrown) {
      // A server of another version may declare what this page cannot read.
      if (!(thrown instanceof AccessionError)) throw thrown;
    }
  }
  return [...tools.values()];
}

async function keep(texts: readonly string[]): Promise<void> {
  // Where there is no space it is asked again.
  await (await openCache(CACHE))?.put(PLACE, new Response(JSON.stringify(texts))).catch(() => undefined);
}

async function kept(): Promise<string[]> {
  const answer = await (await openCache(CACHE))?.match(PLACE);
  const texts = v.safeParse(v.array(v.string()), await answer?.json().catch(() => null));
  return texts.success ? texts.output : [];
}
