/** How the pages reach the tools: one cage a page, whose engines start when they are first used. */
import { openBrowserCage } from '#adapters/toolbox/browser/browser-cage.ts';
import type { Cage } from '#core/toolbox/cage.ts';
import { download } from './page/download.svelte.ts';

export { dropEngine, engineStates, type EngineState } from '#adapters/toolbox/browser/kept-engines.ts';

let opened: Cage | null = null;

export function cage(): Cage {
  opened ??= openBrowserCage((runtime, share) => download.tell(runtime, share));
  return opened;
}
