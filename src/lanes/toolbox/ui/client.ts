/** How the pages reach the tools: one cage a page, whose engines start when they are first used, and the sources. */
import { openBrowserCage } from '#adapters/toolbox/browser/browser-cage.ts';
import { openPageNet } from '#adapters/toolbox/browser/page-net.ts';
import { readToken, serverBase } from '#ui/client/server-client.ts';
import { enginePlaces } from '#adapters/toolbox/browser/kept-engines.ts';
import type { Cage } from '#core/toolbox/cage.ts';
import type { Net } from '#core/toolbox/connectors/net.ts';
import { download } from './page/download.svelte.ts';

export { dropEngine, engineStates, type EngineState } from '#adapters/toolbox/browser/kept-engines.ts';

let opened: Cage | null = null;

export function cage(): Cage {
  opened ??= openBrowserCage(enginePlaces(), (runtime, share) => download.tell(runtime, share));
  return opened;
}

const server = async () => ((await readToken()) === null ? null : { baseUrl: await serverBase(), token: readToken });

let net: Net | null = null;

export function sources(): Net {
  net ??= openPageNet(server);
  return net;
}
