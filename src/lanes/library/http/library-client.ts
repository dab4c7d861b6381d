/** The server's library as a page asks for it. No method throws. */
import type * as v from 'valibot';
import { addressOf, createJsonCall, withQuery } from '#adapters/http/json-call.ts';
import { createSend, type HttpOptions } from '#adapters/http/request.ts';
import { ok, type Result } from '#core/result.ts';
import {
  LibraryAnswerSchema,
  ServerFileSchema,
  ServerFilesSchema,
  ServerFolderSchema,
  ServerFoldersSchema,
  ServerSymbolsSchema,
  type LibrarySearchSchema,
} from '#lanes/library/core/server-library.ts';

export type LibraryClient = ReturnType<typeof createLibraryClient>;

const FOLDERS = '/v1/library/folders';
/** What is typed waits no longer for a server, milliseconds. */
const PATIENCE_MS = 5_000;
/** For a file on its way. */
const FILE_MS = 300_000;
/** The palette has other things to show. */
const PALETTE_MS = 1_500;

export function createLibraryClient(options: HttpOptions) {
  const [call, send] = [createJsonCall(options), createSend(options)];
  return {
    folders: () => call('GET', FOLDERS, ServerFoldersSchema, undefined, { timeoutMs: PATIENCE_MS }),
    folder: (id: string) => call('GET', addressOf(FOLDERS, id), ServerFolderSchema),
    files: (id: string, page: { q: string; cursor: string | null; limit: number }) =>
      call('GET', withQuery(addressOf(FOLDERS, id, '/files'), page), ServerFilesSchema),
    file: (id: string, path: string) =>
      call('GET', withQuery(addressOf(FOLDERS, id, '/file'), { path }), ServerFileSchema),
    /** A PDF as it lies there. */
    async content(id: string, path: string): Promise<Result<ArrayBuffer>> {
      const answer = await send({
        method: 'GET',
        path: withQuery(addressOf(FOLDERS, id, '/content'), { path }),
        timeoutMs: FILE_MS,
      });
      return answer.ok ? ok(await answer.value.arrayBuffer()) : answer;
    },
    scan: (id: string) => call('POST', addressOf(FOLDERS, id, '/scan'), ServerFolderSchema),
    search: (asked: v.InferInput<typeof LibrarySearchSchema>) =>
      call('POST', '/v1/library/search', LibraryAnswerSchema, asked, { timeoutMs: PATIENCE_MS }),
    symbols: (q: string, limit: number) =>
      call('GET', withQuery('/v1/library/symbols', { q, limit }), ServerSymbolsSchema, undefined, {
        timeoutMs: PALETTE_MS,
      }),
  };
}
