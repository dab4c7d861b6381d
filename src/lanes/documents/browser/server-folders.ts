/** Folders of the catalog server and plans over them, for the page: asked when they are looked at, kept nowhere. */
import type { HttpOptions } from '#adapters/http/request.ts';
import { fail, ok, tried, type Result } from '#core/result.ts';
import { failure, type Failure } from '#core/errors.ts';
import type { PastPlan } from '#core/sync/plan-protocol.ts';
import type { DocumentFolder, FolderDocument } from '#lanes/documents/core/folders/folder-document.ts';
import { TASK, documentHash, isDocumentPlan, type DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import { createSharedClient, type SharedClient } from '#lanes/documents/http/shared-client.ts';
import type { documentPlanClient } from '#lanes/documents/http/document-plan-client.ts';

export interface ServerFoldersApi {
  /** None where there is no server, where it has none, and where this person may not see them; `offline`: ask again. */
  serverFolders(): Promise<Result<DocumentFolder[]>>;
  scanServerFolder(id: string): Promise<Result<DocumentFolder>>;
  serverFolder(id: string): Promise<Result<FolderDocument[]>>;
  serverFolderContent(id: string, path: string): Promise<Result<ArrayBuffer>>;
  /** What became of plans over documents there, newest first, and those that wait for a person. None as with folders. */
  serverPlans(limit: number): Promise<Result<{ past: PastPlan[]; more: boolean; waiting: DocumentPlan[] }>>;
  /** A plan that waits: done as it is shown, or rejected. */
  decideServerPlan(plan: DocumentPlan, status: 'completed' | 'rejected'): Promise<Result<true>>;
}

const isNone = ({ code }: Failure): boolean => ['not_found', 'forbidden', 'unauthorized', 'offline'].includes(code);

const NO_SERVER = fail(failure('offline', 'There is no catalog server.'));

export function serverFolders(server: (() => Promise<HttpOptions>) | undefined): ServerFoldersApi {
  // Which server it is stands in the database, which is closed as the page goes: that is a failure, as every other.
  const asked = <T>(work: (client: SharedClient) => Promise<Result<T>>): Promise<Result<T>> =>
    tried(async () => (server === undefined ? NO_SERVER : work(createSharedClient(await server()))));
  const planned = <T>(work: (client: ReturnType<typeof documentPlanClient>) => Promise<Result<T>>) =>
    tried<T>(async () => {
      if (server === undefined) return NO_SERVER;
      const { documentPlanClient: clientOf } = await import('#lanes/documents/http/document-plan-client.ts');
      return work(clientOf(await server()));
    });
  return {
    serverFolders: async () => {
      if (server === undefined) return ok([]);
      return asked(async (client) => {
        const answer = await client.folders();
        if (answer.ok) return ok(answer.value.items);
        const { code } = answer.failure;
        return isNone(answer.failure) && code !== 'offline' ? ok([]) : answer;
      });
    },
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
    serverPlans: (limit) =>
      planned(async (client) => {
        const [history, pending] = await Promise.all([client.history(limit), client.pending()]);
        if (!history.ok) return isNone(history.failure) ? ok({ past: [], more: false, waiting: [] }) : history;
        const past = history.value.items.filter(({ task }) => task === TASK);
        const waiting = pending.ok
          ? pending.value.items.flatMap(({ plan }) => (isDocumentPlan(plan) ? [plan] : []))
          : [];
        return ok({ past, more: history.value.more, waiting });
      }),
    decideServerPlan: (plan, status) =>
      planned(async (client) => {
        const shown = status === 'completed' ? { previewHash: await documentHash(plan) } : {};
        const answer = await client.update({ planId: plan.id, status, ...shown });
        return answer.ok ? ok(true as const) : answer;
      }),
  };
}
