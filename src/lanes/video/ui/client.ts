/** How the pages reach the folders of videos and the shows: the worker, the server, and what only a page may ask the browser. */
import { proxy, type Remote } from 'comlink';
import { askFor, canHandOver, canPick, isDirectory } from '#adapters/browser/plans/file-system-access.types.ts';
import { isRenaming } from '#adapters/browser/plans/journal-store.ts';
import type { VideoApi } from '#lanes/video/browser/video-api.types.ts';
import type { VideoKind } from '#lanes/video/core/plan-kinds.ts';
import type { PlanClient } from '#adapters/http/plan-client.ts';
import type { RecordClient } from '#lanes/video/http/record-client.ts';
import type { ShowClient } from '#lanes/video/http/show-client.ts';
import { readToken, serverBase } from '#ui/client/server-client.ts';
import { WorkerClient } from '#ui/client/workers.ts';

export { askFor, proxy };
export type {
  Advice,
  AskProgress,
  FolderAdvice,
  FolderRead,
  FolderSource,
  PreviewRow,
  ReadAnswers,
  RecoveredFolder,
  RenamePreview,
  VideoApi,
} from '#lanes/video/browser/video-api.types.ts';
export type { FolderRow as VideoFolderRow } from '#adapters/browser/plans/rows.types.ts';

const worker = new WorkerClient<VideoApi>(
  () => new Worker(new URL('../../../../workers/video.worker.ts', import.meta.url), { type: 'module', name: 'video' }),
);

export const video = (): Remote<VideoApi> => worker.get();

/** Plans on the server that is set now; null where nobody has signed in to it. */
export async function serverPlans(): Promise<PlanClient<VideoKind> | null> {
  if ((await readToken()) === null) return null;
  const [{ createPlanClient }, { videoPlans }] = await Promise.all([
    import('#adapters/http/plan-client.ts'),
    import('#lanes/video/core/plan-kinds.ts'),
  ]);
  return createPlanClient(videoPlans, { baseUrl: await serverBase(), token: readToken });
}

/** Records of recognised videos on the server that is set now; null where nobody has signed in to it. */
export async function serverRecords(): Promise<RecordClient | null> {
  if ((await readToken()) === null) return null;
  const { createRecordClient } = await import('#lanes/video/http/record-client.ts');
  return createRecordClient({ baseUrl: await serverBase(), token: readToken });
}

/** Shows on the server that is set now; its code is loaded when it is first wanted. */
export async function showCatalog(): Promise<ShowClient> {
  const { createShowClient } = await import('#lanes/video/http/show-client.ts');
  return createShowClient({ baseUrl: await serverBase(), token: readToken });
}

/** Whether files in folders can be renamed from here: Chromium and Edge, on a secure origin. */
export const canRename = (): boolean => canPick(window);

/** Whether files are being renamed now, from this tab or another: then nothing was interrupted. */
export async function renameUnderWay(): Promise<boolean> {
  return 'locks' in navigator && isRenaming(navigator.locks);
}

/** The folder that the person picks; null when they close the picker. Reading is asked for; writing when they confirm. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  if (!canPick(window)) return null;
  try {
    return await window.showDirectoryPicker({ id: 'videos', mode: 'read' });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
}

/** The first folder of a drop, where the browser hands it over to be written to. Call it before anything is awaited. */
export function folderOfDrop(transfer: DataTransfer): Promise<FileSystemDirectoryHandle | null> {
  const handles = Array.from(transfer.items).flatMap((item) =>
    item.kind === 'file' && canHandOver(item) ? [item.getAsFileSystemHandle()] : [],
  );
  return Promise.all(handles).then((all) => {
    for (const handle of all) if (handle !== null && isDirectory(handle)) return handle;
    return null;
  });
}
