/** Ask's tools for steps of playbooks in a browser: the folders that were read into the library, and the web by the catalog server. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { KeptFiles } from '#adapters/browser/kept-files.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import { ragForSteps, webForSteps } from '#lanes/library/core/ask/tools/step-tools.ts';
import type { WebPort } from '#lanes/library/core/ask/tools/context.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { browserLibrary } from './browser-library.ts';
import { serverWeb } from './server-web.ts';

export interface StepToolsPlace {
  db: AccessionDb;
  files(): Promise<KeptFiles>;
  server(): Promise<HttpOptions>;
  sha256(text: string): Promise<string>;
}

const NO_FOLDER = 'Read a folder into the library first (Library).';
const NO_WEB = 'Connect to a catalog server that asks the web for people ([tools] of its accession.toml).';

/**
 * @param agreed patterns of hosts to which the person agreed
 * @param asked whether a step names it: only then is the server asked whether it searches
 */
export async function browserStepTools(
  { db, files, server, sha256 }: StepToolsPlace,
  agreed: readonly string[],
  asked: (name: string) => boolean,
): Promise<OfferedTool[]> {
  /** All folders as one; opened once for a run, at its first call. */
  const open = async () => {
    const rows = await db.library_folders.orderBy('added_at').toArray();
    const kept = await files();
    const opened = await Promise.all(rows.map(({ id }) => openLibrary(browserLibrary(db, kept, id))));
    return { index: new LibraryIndex(opened.flatMap(({ index }) => index.parts)) };
  };
  const rag = ragForSteps(open, sha256);
  const none = (await db.library_folders.count()) === 0;
  const web: WebPort | null = asked('web_search') ? await serverWeb(await server()) : null;
  const search = webForSteps(web ?? NOWHERE, agreed, sha256);
  return [
    { ...rag, ...(none ? { unavailable: NO_FOLDER } : {}) },
    { ...search, ...(web === null ? { unavailable: NO_WEB } : {}) },
  ];
}

/** It is refused by name before it is asked. */
const NOWHERE: WebPort = { allow: [], fetch: () => Promise.reject(new Error(NO_WEB)) };
