/** Folders of the catalog server, for the page: asked when they are looked at, kept nowhere. */
import type { HttpOptions } from '#adapters/http/request.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { failure } from '#core/errors.ts';
import type { DocumentFolder, FolderDocument } from '#lanes/documents/core/folders/folder-document.ts';
import { createSharedClient, type SharedClient } from '#lanes/documents/http/shared-client.ts';

export interface ServerFoldersApi {
  /** None where there is no server, where it has none, and where this person may not see them. */
  serverFolders(): Promise<Result<DocumentFolder[]>>;
  scanServerFolder(id: string): Promise<Result<DocumentFolder>>;
  serverFolder(id: string): Promise<Result<FolderDocument[]>>;
  serverFolderContent(id: string, path: string): Promise<Result<ArrayBuffer>>;
}

export function serverFolders(server: (() => Promise<HttpOptions>) | undefined): ServerFoldersApi {
  const asked = async <T>(work: (client: SharedClient) => Promise<Result<T>>): Promise<Result<T>> =>
    server === undefined
      ? fail(failure('offline', 'There is no catalog server.'))
      : work(createSharedClient(await server()));
  return {
    serverFolders: () =>
      asked(async (client) => {
        const answer = await client.folders();
        const isNone =
          !answer.ok && ['not_found', 'forbidden', 'unauthorized', 'offline'].includes(answer.failure.code);
        return isNone ? ok([]) : answer.ok ? ok(answer.value.items) : answer;
      }),
    scanServerFolder: (id) => asked((client) => client.scanFolder(id)),
    serverFolder: (id) =>
      asked(async (client) => {
        const all: FolderDocument[] = [];
        for (let cursor: string | null = null; ;) {
          const page = await client.folderDocuments(id, cursor);
          if (!page.ok) return page;
          all.push(...page.value.items);
          cursor = page.value.next_cursor;
          if (cursor === null) return ok(all);
        }
      }),
    serverFolderContent: (id, path) => asked((client) => client.folderContent(id, path)),
  };
}
