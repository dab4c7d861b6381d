/** Sources that the operator of the server declared, for pages that offer tools. */
import { declaredSources as asked } from '#adapters/toolbox/browser/declared-sources.ts';
import type { ConnectorTool } from '#core/toolbox/connectors/connector-tool.ts';
import { readToken, serverBase } from './server-client.ts';

export const declaredSources = (): Promise<ConnectorTool[]> =>
  asked(async () => ((await readToken()) === null ? null : { baseUrl: await serverBase(), token: readToken }));
