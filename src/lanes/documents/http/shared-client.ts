/** Approved records on the catalog server: sent, taken back, read by their feed, and their PDFs. No method throws. */
import { createFeedCall, createJsonCall } from '#adapters/http/json-call.ts';
import { createSend, type HttpOptions } from '#adapters/http/request.ts';
import { ok, type Result } from '#core/result.ts';
import {
  DecidedFolderSchema,
  DocumentFolderSchema,
  DocumentFoldersSchema,
  FolderDocumentsSchema,
  type DecideFolder,
} from '#lanes/documents/core/folders/folder-document.ts';
import { DocumentChangesPageSchema, SharedSchema, type Share } from '#lanes/documents/core/share/shared-document.ts';

/** Milliseconds for a PDF on its way. */
const PATIENCE_MS = 600_000;

const addressOfContent = (sha256: string): string => `/v1/documents/contents/${encodeURIComponent(sha256)}`;

export type SharedClient = ReturnType<typeof createSharedClient>;

export function createSharedClient(options: HttpOptions) {
  const [call, feed, send] = [createJsonCall(options), createFeedCall(options), createSend(options)];
  return {
    share: (share: Share, key: string) => call('POST', '/v1/documents/records', SharedSchema, share, { key }),
    async sendContent(sha256: string, content: Blob): Promise<Result<null>> {
      const headers = { 'content-type': 'application/pdf' };
      const path = addressOfContent(sha256);
      const sent = await send({ method: 'PUT', path, headers, body: content, timeoutMs: PATIENCE_MS });
      return sent.ok ? ok(null) : sent;
    },
    async content(sha256: string): Promise<Result<ArrayBuffer>> {
      const answer = await send({ method: 'GET', path: addressOfContent(sha256), timeoutMs: PATIENCE_MS });
      return answer.ok ? ok(await answer.value.arrayBuffer()) : answer;
    },
    folders: () => call('GET', '/v1/documents/folders', DocumentFoldersSchema),
    scanFolder: (id: string) =>
      call('POST', `/v1/documents/folders/${encodeURIComponent(id)}/scan`, DocumentFolderSchema),
    folderDocuments: (id: string, cursor: string | null) =>
      call(
        'GET',
        `/v1/documents/folders/${encodeURIComponent(id)}/documents?limit=500${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        FolderDocumentsSchema,
      ),
    /** Plans what is decided about documents of a folder; nothing is changed by it. */
    planFolder: (id: string, wish: DecideFolder, key: string) =>
      call('POST', `/v1/documents/folders/${encodeURIComponent(id)}/plan`, DecidedFolderSchema, wish, { key }),
    async folderContent(id: string, document: string): Promise<Result<ArrayBuffer>> {
      const path = `/v1/documents/folders/${encodeURIComponent(id)}/content?path=${encodeURIComponent(document)}`;
      const answer = await send({ method: 'GET', path, timeoutMs: PATIENCE_MS });
      return answer.ok ? ok(await answer.value.arrayBuffer()) : answer;
    },
    changes: (cursor: string | null, limit: number, signal?: AbortSignal) =>
      feed('/v1/catalog/changes/documents', DocumentChangesPageSchema, { cursor, limit }, signal),
  };
}
