/** The library of the server that this browser is signed in to. Its folders have ids of their own among the browser's. */
import { ok, type Result } from '#core/result.ts';
import { ask } from '#ui/client/workers.ts';
import { readToken, serverBase } from '#ui/client/server-client.ts';
import type { LibraryClient } from '../http/library-client.ts';
import type { ServerSymbol } from '#lanes/library/core/server-library.ts';
import { library, type LibraryFile, type LibraryHit } from './client.ts';

const SERVER = 'server:';

/** The page's id of a folder of the server. */
export const pageId = (folder: string): string => `${SERVER}${folder}`;

/** The server's id of a folder, or null for one of this browser. */
export const serverId = (id: string): string | null => (id.startsWith(SERVER) ? id.slice(SERVER.length) : null);

/** Null where nobody has signed in. Its code is loaded when it is first wanted. */
export async function serverLibrary(): Promise<LibraryClient | null> {
  if ((await readToken()) === null) return null;
  const { createLibraryClient } = await import('../http/library-client.ts');
  return createLibraryClient({ baseUrl: await serverBase(), token: readToken });
}

/** A file of a folder of this browser or of the server; null where there is none of this path. */
export async function openFile(id: string, path: string): Promise<LibraryFile | null> {
  const folder = serverId(id);
  if (folder === null) return ask(library().file(id, path));
  const client = await serverLibrary();
  if (client === null) return null;
  const answer = await client.file(folder, path);
  return answer.ok || answer.failure.code !== 'not_found' ? ask(Promise.resolve(answer)) : null;
}

/** The PDF of a file; null where the browser or the server does not have it any more. */
export async function openContent(id: string, path: string): Promise<Result<ArrayBuffer | null>> {
  const folder = serverId(id);
  if (folder === null) return library().content(id, path);
  const answer = (await (await serverLibrary())?.content(folder, path)) ?? ok(null);
  return answer.ok || answer.failure.code !== 'not_found' ? answer : ok(null);
}

/** Passages of the server's folders; none where it cannot be asked now. */
export async function searchServer(words: string, limit: number): Promise<LibraryHit[]> {
  const answer = await (await serverLibrary())?.search({ query: words.slice(0, 4_000), k: limit });
  if (answer?.ok !== true) return [];
  return answer.value.items.map((passage) => ({ ...passage, folder: pageId(passage.folder) }));
}

/** Symbols of the server's folders; none where it cannot be asked now. */
export async function serverSymbols(words: string, limit: number): Promise<ServerSymbol[]> {
  const answer = await (await serverLibrary())?.symbols(words.slice(0, 200), limit);
  if (answer?.ok !== true) return [];
  return answer.value.items.map((symbol) => ({ ...symbol, folder: pageId(symbol.folder) }));
}
